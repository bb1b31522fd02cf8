import { describe, expect, it } from 'vitest';
import { chosenVersion, sameMinor, sameRelease } from '../../src/plan/versions.ts';

describe('Flink versions', () => {
  it('are alike in their minor release', () => {
    expect(sameMinor('1.17.2', '1.17')).toBe(true);
    expect(sameMinor('flink-1.17-SNAPSHOT', '1.17.1')).toBe(true);
    expect(sameMinor('1.2', '1.20')).toBe(false);
    expect(sameMinor('2.0', '1.20')).toBe(false);
    expect(sameMinor('nightly', 'nightly')).toBe(false);
  });

  it('are of one release where the patches are equal or not said', () => {
    expect(sameRelease('1.17', '1.17.2')).toBe(true);
    expect(sameRelease('1.17.2', '1.17.2')).toBe(true);
    expect(sameRelease('1.17.1', '1.17.2')).toBe(false);
  });

  it('of a script are the exact one, else the newest of the minor release, else none', () => {
    const configured = ['1.17.1', '1.20', '1.17.2', '1.16'];
    expect(chosenVersion('1.17.1', configured)).toBe('1.17.1');
    expect(chosenVersion('1.17.5', configured)).toBe('1.17.2');
    expect(chosenVersion('1.17', configured)).toBe('1.17.2');
    expect(chosenVersion('1.20.1', configured)).toBe('1.20');
    expect(chosenVersion('1.18.1', configured)).toBeUndefined();
    expect(chosenVersion('1.1', configured)).toBeUndefined();
    expect(chosenVersion(null, configured)).toBeUndefined();
    expect(chosenVersion('unknown', configured)).toBeUndefined();
  });
});
