// Applications that need no second look while their text and the plan stay as they are; config files and environments are looked at again now and then.
import { createHash } from 'node:crypto';
import { type AppKey, appKey } from '../watch/watch.ts';
import type { Settled } from './round.ts';

const againAfterMs = 600_000;

export function createSettled(now: () => number): Settled {
  const seen = new Map<AppKey, { readonly signature: string; readonly until: number }>();
  const signatureOf: (...of: Parameters<Settled['add']>) => string = (app, plan) =>
    createHash('sha256')
      .update(JSON.stringify([app.createTime, app.name, app.properties, plan]))
      .digest('base64');
  return {
    has(app, plan) {
      const known = seen.get(appKey(app.engine, app.id));
      return known !== undefined && known.until > now() && known.signature === signatureOf(app, plan);
    },
    add(app, plan) {
      seen.set(appKey(app.engine, app.id), { signature: signatureOf(app, plan), until: now() + againAfterMs });
    },
  };
}
