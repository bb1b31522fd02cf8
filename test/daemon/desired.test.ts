import { describe, expect, it } from 'vitest';
import { type Desired, emittedAfter, missingMoments, type RunEnd, type RunFacts } from '../../src/daemon/desired.ts';

const facts = {} as RunFacts;
const end: RunEnd = { how: 'fail', reason: 'FAILED', at: 300, reconstructed: false, message: 'boom' };
const desired = (over: Partial<Desired>): Desired => ({ facts, startedAt: 100, runningAt: null, end: null, ...over });
const types = (d: Desired, emitted: Parameters<typeof missingMoments>[1]) => missingMoments(d, emitted).map((m) => `${m.type}@${m.at}`);

describe('missingMoments', () => {
  it('begins with START', () => {
    expect(types(desired({}), 'none')).toEqual(['START@100']);
    expect(types(desired({}), 'start')).toEqual([]);
  });

  it('reports all of a run that lived while nothing could be planned', () => {
    expect(types(desired({ runningAt: 200, end }), 'none')).toEqual(['START@100', 'RUNNING@200', 'FAIL@300']);
  });

  it('reports only what is missing', () => {
    expect(types(desired({ runningAt: 200 }), 'start')).toEqual(['RUNNING@200']);
    expect(types(desired({ runningAt: 200 }), 'running')).toEqual([]);
    expect(types(desired({ runningAt: 200, end }), 'running')).toEqual(['FAIL@300']);
    expect(types(desired({ end: { ...end, how: 'abort' } }), 'start')).toEqual(['ABORT@300']);
    expect(types(desired({ end: { ...end, how: 'complete' } }), 'start')).toEqual(['COMPLETE@300']);
  });

  it('says nothing after the end', () => {
    expect(types(desired({ runningAt: 200, end }), 'terminal')).toEqual([]);
  });

  it('carries message and reason of the end', () => {
    expect(missingMoments(desired({ end }), 'running')).toEqual([
      { type: 'FAIL', at: 300, message: 'boom', reason: 'FAILED', reconstructed: false },
    ]);
  });
});

describe('emittedAfter', () => {
  it('follows the last moment', () => {
    expect(emittedAfter('none', [])).toBe('none');
    expect(emittedAfter('none', [{ type: 'START', at: 1 }])).toBe('start');
    expect(emittedAfter('start', [{ type: 'RUNNING', at: 1 }])).toBe('running');
    expect(
      emittedAfter('none', [
        { type: 'START', at: 1 },
        { type: 'ABORT', at: 2 },
      ]),
    ).toBe('terminal');
  });
});
