// What the daemon says about OpenLineage's own configuration, with the conditions and the log that it really uses.
import { expect, it } from 'vitest';
import { openLineageReport } from '../../src/daemon/openlineage.ts';
import type { Log } from '../../src/ops/ops.ts';
import { Conditions } from '../../src/ops/ops.ts';
import { effectiveSettings, readSettings } from '../../src/settings/settings.ts';

it('names what is not supported while it is in use, and says once that it is not', () => {
  const lines: unknown[] = [];
  const note = (_: unknown, text: string) => void lines.push(text);
  const log = { info: note, warn: note, error: note, debug: note, child: () => log } as unknown as Log;
  const conditions = new Conditions(log, Date.now, () => undefined);
  const settings = readSettings(undefined, { OPENLINEAGE_URL: 'http://m', OPENLINEAGE_CLIENT_LOGGING: 'DEBUG' });
  const report = openLineageReport({ settings, log, conditions });
  const codes = () => conditions.list().map(({ code }) => code);
  report(effectiveSettings(settings, {}));
  report(effectiveSettings(settings, {}));
  expect(codes()).toEqual(['OPENLINEAGE_OPTION']);
  expect(lines.filter((line) => String(line).includes('OPENLINEAGE_CLIENT_LOGGING'))).toHaveLength(1);
  const stored = { 'lineage.gravitino.address': 'http://g' };
  report(effectiveSettings(settings, stored));
  report(effectiveSettings(settings, stored));
  expect(codes()).toEqual([]);
  expect(lines.filter((line) => String(line).includes('is not used'))).toHaveLength(1);
});
