// Answers, Retry-After, error codes and hints as pure functions.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hintOf } from '../../src/transports/body.ts';
import { classifyAnswer, classifyError, parseRetryAfter } from '../../src/transports/classify.ts';

const now = Date.parse('2026-12-01T00:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 5 ', 5_000],
    ['Tue, 01 Dec 2026 00:01:00 GMT', 60_000],
    ['Tuesday, 01-Dec-26 00:01:00 GMT', 60_000],
    ['Tue, 01 Dec 2020 00:00:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['2026-12-01', undefined],
    ['99999999999999999999', undefined],
    ['Foo, 99 Bar 2026 99:99:99 GMT', undefined],
  ])('%j is %s ms', (text, ms) => {
    expect(parseRetryAfter(text, now)).toBe(ms);
  });

  it('gives a whole number of ms or nothing for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ms = parseRetryAfter(text, now);
        expect(ms === undefined || (Number.isInteger(ms) && ms >= 0)).toBe(true);
      }),
    );
  });
});

describe('answers', () => {
  it('has a verdict for every status', () => {
    for (let status = 200; status < 600; status++) {
      const result = classifyAnswer({ status, contentType: undefined, retryAfter: undefined, location: undefined, hint: '' }, now);
      expect(['sent', 'later', 'never', 'paused']).toContain(result.kind);
      if (result.kind !== 'sent') expect(result.reason).toContain(`http ${status}`);
    }
  });

  it.each([
    ['ENOTFOUND', 'paused'],
    ['EAI_AGAIN', 'paused'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'paused'],
    ['CERT_HAS_EXPIRED', 'paused'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'paused'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'paused'],
    ['EPROTO', 'paused'],
    ['ECONNREFUSED', 'later'],
    ['ECONNRESET', 'later'],
    ['EPIPE', 'later'],
    ['UND_ERR_HEADERS_TIMEOUT', 'later'],
    ['UND_ERR_SOCKET', 'later'],
    ['HPE_INVALID_CONSTANT', 'later'],
  ])('takes %s for %s, also as a cause', (code, kind) => {
    expect(classifyError(Object.assign(new Error('http://user:pw@h'), { code })).kind).toBe(kind);
    const wrapped = classifyError(new Error('failed', { cause: { code } }));
    expect(wrapped).toMatchObject({ kind, reason: expect.stringContaining(code) });
  });

  it('never shows the message of an error', () => {
    expect(JSON.stringify(classifyError(new Error('http://user:pw@h')))).not.toContain('pw');
    expect(classifyError(undefined).kind).toBe('later');
  });
});

describe('hints', () => {
  it.each([
    ['{"code":1001,"type":"X","message":"Malformed \\"json\\" request","stack":["a"]}', 'Malformed "json" request'],
    ['{"errors":["run may not be null","job"]}', 'run may not be null'],
    ['{"message":"cut off in the midd', '{"message":"cut off in the midd'],
    ['<html><head><title>t</title></head><body><h1>404</h1>\n<p>Not found</p></body>', '404 Not found'],
    ['  plain\r\n\ttext ', 'plain text'],
    ['', ''],
  ])('%j becomes %j', (text, hint) => {
    expect(hintOf(text, [])).toBe(hint);
  });

  it('is one short line without the secrets, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-ascii', minLength: 4 }), (text, secret) => {
        const hint = hintOf(`${text} ${secret} ${text}`, [secret]);
        expect(hint.length).toBeLessThanOrEqual(300);
        expect(hint).not.toMatch(/[\r\n\0]/);
      }),
    );
    expect(hintOf('you sent Bearer abcd1234', ['abcd1234'])).toBe('you sent Bearer ***');
  });
});
