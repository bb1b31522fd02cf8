import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { learnZone, parseZone, zoneClock } from '../../src/watch/watch.ts';
import { instantIn, offsetOf, rawAsUtc } from '../../src/watch/zone.ts';

const hour = 3_600_000;
const utc = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
const raw = (instant: number) => new Date(instant).toISOString().slice(0, 19).replace('T', ' ');

describe('zones', () => {
  test.each([
    ['+08:00', 8],
    ['+0530', 5.5],
    ['-5', -5],
    ['GMT+8', 8],
    ['UTC-03:30', -3.5],
    ['utc', 0],
    ['Z', 0],
    ['GMT', 0],
    ['Asia/Shanghai', 8],
    ['Etc/GMT-8', 8],
    ['Asia/Kathmandu', 5.75],
  ])('%s is %d hours', (name, hours) => {
    expect(parseZone(name).offsetAt(utc('2026-01-15 12:00:00'))).toBe(hours * hour);
  });
  test.each(['', 'nowhere', 'Mars/Olympus', '+25:00', '+08:99', '8'])('%s is no zone', (name) => {
    expect(() => parseZone(name)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
  test('daylight saving: the hour that occurs twice is the first, the one that does not is taken through', () => {
    const berlin = parseZone('Europe/Berlin');
    expect(instantIn(berlin, '2026-01-15 12:00:00')).toBe(utc('2026-01-15 11:00:00'));
    expect(instantIn(berlin, '2026-07-15 12:00:00')).toBe(utc('2026-07-15 10:00:00'));
    expect(instantIn(berlin, '2026-10-25 02:30:00')).toBe(utc('2026-10-25 00:30:00'));
    expect(instantIn(berlin, '2026-10-25 03:30:00')).toBe(utc('2026-10-25 02:30:00'));
    expect(instantIn(berlin, '2026-03-29 02:30:00')).toBe(utc('2026-03-29 00:30:00') + hour);
    expect(instantIn(berlin, '2026-03-29 03:30:00')).toBe(utc('2026-03-29 01:30:00'));
  });
  test('every wall-clock time that occurs comes back as itself', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Shanghai'),
        fc.integer({ min: 0, max: 4_000_000_000 }),
        (name, second) => {
          const zone = parseZone(name);
          const instant = second * 1000;
          const back = instantIn(zone, raw(instant + zone.offsetAt(instant)));
          // The second of two equal wall-clock times is taken as the first.
          expect(back === instant || back === instant - hour || back === instant - hour / 2).toBe(true);
        },
      ),
    );
  });
});

describe('raw times', () => {
  test('both databases, with and without fractions', () => {
    expect(rawAsUtc('2026-12-01 06:02:23')).toBe(utc('2026-12-01 06:02:23'));
    expect(rawAsUtc('2026-11-30T22:04:44.383')).toBe(utc('2026-11-30 22:04:44.383'));
    expect(rawAsUtc('2026-11-30 22:04:44.3')).toBe(utc('2026-11-30 22:04:44.300'));
    expect(rawAsUtc('2026-11-30 22:04:44.123456')).toBe(utc('2026-11-30 22:04:44.123'));
    expect(rawAsUtc('1970-01-01 08:00:00')).toBe(8 * hour);
  });
  test.each([
    '',
    '0000-00-00 00:00:00',
    '2026-13-01 00:00:00',
    '2026-02-30 00:00:00',
    '2026-01-01',
    '2026-01-01 24:00:00',
    'now',
    '2026-01-01 10:00:60',
  ])('%s is none', (text) => {
    expect(rawAsUtc(text)).toBeNull();
  });
  test('no text makes it throw', () => {
    fc.assert(fc.property(fc.string(), (text) => rawAsUtc(text) === null || Number.isFinite(rawAsUtc(text))));
  });
});

describe('learning', () => {
  const now = utc('2026-03-01 12:00:05');
  const before = utc('2026-03-01 12:00:00');

  test('any zone on earth is learned from one write, whatever the skew within a minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: -48, max: 56 }), fc.integer({ min: -60_000, max: 65_000 }), (quarters, drift) => {
        const offset = (quarters * hour) / 4;
        expect(offsetOf(raw(before + drift + offset), before, now)).toBe(offset);
      }),
    );
  });
  test('a time that is minutes old, or polls that are far apart, teach nothing', () => {
    expect(offsetOf(raw(before - 7 * 60_000), before, now)).toBeNull();
    expect(offsetOf(raw(now), before - hour, now)).toBeNull();
    expect(offsetOf('nonsense', before, now)).toBeNull();
  });
  test('the first holds at once, another takes over when it was seen twice in a row', () => {
    const eight = raw(now + 8 * hour);
    const nine = raw(now + 9 * hour);
    let learned = learnZone(null, [eight], before, now);
    expect(learned).toEqual({ offsetMs: 8 * hour, other: null });
    learned = learnZone(learned, [nine], before, now);
    expect(learned?.offsetMs).toBe(8 * hour);
    expect(learnZone(learned, [eight], before, now)).toEqual({ offsetMs: 8 * hour, other: null });
    expect(learnZone(learned, [nine], before, now)).toEqual({ offsetMs: 9 * hour, other: null });
    expect(learnZone(null, [eight], null, now)).toBeNull();
  });
  test('auto: the server zone until something was learned', () => {
    const local = '2026-03-01 20:00:00';
    const server = zoneClock('auto', null, 'Etc/UTC', now);
    expect([server.from, server.zone, server.toInstant(local)]).toEqual(['server', 'Etc/UTC', utc(local)]);
    const learned = zoneClock('auto', { offsetMs: 8 * hour, other: null }, 'Etc/UTC', now);
    expect([learned.from, learned.zone, learned.toInstant(local)]).toEqual(['learned', '+08:00', utc('2026-03-01 12:00:00')]);
    expect(zoneClock('auto', null, 'a zone only the server knows', now).toInstant(local)).toBe(utc(local));
  });
  test('a configured zone holds, and a disagreement is said', () => {
    const right = zoneClock('GMT+8', { offsetMs: 8 * hour, other: null }, 'UTC', now);
    expect([right.diagnostic, right.toInstant('2026-03-01 20:00:00')]).toEqual([null, utc('2026-03-01 12:00:00')]);
    const wrong = zoneClock('Europe/Berlin', { offsetMs: 8 * hour, other: null }, 'UTC', now);
    expect(wrong.toInstant('2026-03-01 20:00:00')).toBe(utc('2026-03-01 19:00:00'));
    expect(wrong.diagnostic).toEqual({
      code: 'SOURCE_TIMEZONE',
      severity: 'error',
      message: 'sourceTimezone is Europe/Berlin, but StreamPark writes times at +08:00',
    });
    expect(zoneClock('Europe/Berlin', null, 'UTC', now).diagnostic).toBeNull();
  });
});
