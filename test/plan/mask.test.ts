import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSecrets, maskText } from '../../src/plan/plan.ts';

describe('maskText', () => {
  it.each([
    ["WITH ('password' = 'p4ss', 'user' = 'u')", "WITH ('password' = '******', 'user' = 'u')"],
    ["OPTIONS (user 'u', password 'p4ss')", "OPTIONS (user 'u', password '******')"],
    ['OPTIONS ("fs.s3a.secret.key" "k", `api-key` \'x\')', 'OPTIONS ("fs.s3a.secret.key" "******", `api-key` \'******\')'],
    ["OPTIONS ('token' 'abc')", "OPTIONS ('token' '******')"],
    ["'properties.sasl.jaas.config'='x password=\"y\";'", "'properties.sasl.jaas.config'='******'"],
    ["'secret-key' = 'it''s ; --' , 'b' = 'c'", "'secret-key' = '******' , 'b' = 'c'"],
    ["'x.api-key'\n =\n 'k'", "'x.api-key'\n =\n '******'"],
    ['SET sasl.password = two words; x', 'SET sasl.password = ******; x'],
    ["SET 'fs.azure.account.key' = 'k'", "SET 'fs.azure.account.key' = '******'"],
    ['{"password":"a\\"b","c":1}', '{"password":"******","c":1}'],
    ['"{\\"token\\":\\"abc\\"}"', '"{\\"token\\":\\"******\\"}"'],
    ['jdbc:mysql://h/db?user=u&password=p4ss&x=1', 'jdbc:mysql://h/db?user=u&password=******&x=1'],
    ['jdbc:sqlserver://h;password=p4ss;x=1', 'jdbc:sqlserver://h;password=******;x=1'],
    ['-Dsasl.password=abc -Dx=y', '-Dsasl.password=****** -Dx=y'],
    ['password: abc', 'password: ******'],
    ["'db.pwd' = 'x'", "'db.pwd' = '******'"],
    ['mysql://root:p4ss@host/db', 'mysql://******@host/db'],
    ['http://u:p@ss@host/x?mail=a@b', 'http://******@host/x?mail=a@b'],
    ["'hostname' = 'u:p4ss@db-1'", "'hostname' = 'u:******@db-1'"],
    ['servers u:p4ss@kafka-1:9092,kafka-2:9092', 'servers u:******@kafka-1:9092,kafka-2:9092'],
    ['jdbc:oracle:thin:scott/tiger@h:1521:x', 'jdbc:oracle:thin:******@h:1521:x'],
    ['Authorization: Bearer abcdefgh.ijk', 'Authorization: Bearer ******'],
    ["'password' = 'never closed", "'password' = '******"],
  ])('%s', (text, masked) => {
    expect(maskText(text, [])).toBe(masked);
  });

  it.each([
    "SELECT a.token, b.x FROM a JOIN b ON a.token = b.token WHERE y = 'z'",
    "'password' = '${db_password}'",
    "'token.enabled' = 'true'",
    'jdbc:mysql://h/db?password=${pw1}&x=1',
    'Encountered "token" at line 1. Unexpected token: x',
    "CREATE TABLE t (password STRING, `token` INT) WITH ('user' = 'root')",
    'at 12:30 to me@example.org: x::y@z, a: b@c',
    'jdbc:oracle:thin:@h:1521:x and http://host/path@x',
  ])('leaves %s', (text) => {
    expect(maskText(text, [])).toBe(text);
  });

  it('masks secrets by value, in all the ways they are written', () => {
    expect(maskText('x p4ss y p4ss', ['p4ss'])).toBe('x ****** y ******');
    expect(maskText(`a'b "q\\"r" s%2Ft`, ["a'b", 'q"r', 's/t'])).toBe('****** "******" ******');
    expect(maskText("'a''b'", ["a'b"])).toBe("'******'");
  });

  it('masks overlapping secrets whole', () => {
    expect(maskText('abcdefgh', ['abcdef', 'defgh'])).toBe('******');
    expect(maskText('abcdefgh', ['abcdefgh', 'cdef'])).toBe('******');
  });

  it('takes values for what they are, however many and long', () => {
    const odd = ['a.*b', '(x', '[y]', '\\d+', '{2,3}', '^$|', '*'.repeat(5), 'x'.repeat(100_000), 'line\r\nend'];
    for (const secret of odd) expect(maskText(`<${secret}>`, odd)).toBe('<******>');
    const many = Array.from({ length: 3_000 }, (_, i) => `secret-${i}-value`);
    expect(maskText(many.join(' '), many)).toBe(many.map(() => '******').join(' '));
  });

  it('masks short secrets only where they stand alone, and blank ones not at all', () => {
    expect(maskText("root r = 'r'", ['r', '', ' '])).toBe("root ****** = '******'");
  });

  it('leaves no secret of four or more characters', () => {
    const secret = fc.string({ minLength: 4, maxLength: 8 }).filter((s) => s.trim() !== '' && !'******'.includes(s) && !s.includes('*'));
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 4 }), fc.array(fc.string(), { maxLength: 5 }), (secrets, noise) => {
        const masked = maskText(noise.flatMap((n, i) => [n, secrets[i] ?? '']).join(''), secrets);
        for (const s of secrets) expect(masked).not.toContain(s);
      }),
    );
  });

  it('changes nothing the second time', () => {
    const part = fc.constantFrom(
      "'password'",
      ' = ',
      "'abc'",
      '=',
      'token',
      ':',
      ' ',
      '"',
      "'",
      '\\',
      'a',
      '/',
      ';',
      'SET ',
      '\n',
      '${ab}',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 25 }), (parts) => {
        const once = maskText(parts.join(''), ['abc']);
        expect(maskText(once, ['abc'])).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    "password='",
    'password=',
    "'password' = ",
    'password',
    '://',
    '://a',
    'a.',
    '=',
    "'",
    '"password":"\\',
    'Bearer ',
    'jdbc:oracle:x:',
    '${',
    'SET ',
  ])('is linear on much of %s', (part) => {
    const text = part.repeat(Math.ceil((1024 * 1024) / part.length));
    expect(maskText(text, ['unlikely secret']).length).toBeGreaterThan(0);
  });
});

describe('findSecrets', () => {
  it('finds literals of secret-like keys and what is nested in them', () => {
    const sql = `CREATE TABLE t (a INT) WITH ('password' = 'a''b', 'user' = 'u', 'token' = '\${t1}',
      'properties.sasl.jaas.config' = 'Module required username="u" password="inner";');
      SET 'x.secret' = 'z'; SET b.password = two words ; SELECT 1 WHERE token = 'column' OR password='x'`;
    expect(findSecrets(sql)).toEqual(["a'b", 'Module required username="u" password="inner";', 'inner', 'z', 'two words']);
  });
});
