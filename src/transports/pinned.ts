// A destination that understands older versions of the specification: its events are brought to them last, behind transforms.
import { atVersions } from '../openlineage/openlineage.ts';
import type { SpecPins } from '../settings/settings.ts';
import type { Transport } from './transport.ts';

/** An event of a kind that its core version does not have counts as sent: nobody there could read it. */
export function pinned(inner: Transport, pins: SpecPins): Transport {
  return {
    ...inner,
    async send(event, signal, mayBegin) {
      const older = atVersions(event, pins);
      return older === null ? { kind: 'sent' } : inner.send(older, signal, mayBegin);
    },
  };
}
