// Random histories on the pure functions of the watch stage: a seeded few hundred; thousands in histories.full.test.ts.
import { describe, expect, it } from 'vitest';
import { historyOf, play } from './histories.ts';
import { judgeSeeds } from './judging.ts';
import { judge, smallest } from './story.ts';

describe('random histories of a StreamPark console', { timeout: 120_000 }, () => {
  it('300 of them: each run is reported once, with its true end, and nothing else is', () => {
    const { histories, runs, failure } = judgeSeeds(0, 300);
    expect(failure).toBeNull();
    expect([histories, runs > 1500]).toEqual([300, true]);
  });

  it('are the same for the same seed', () => {
    expect(historyOf(7)).toEqual(historyOf(7));
    expect(judge(historyOf(7)).story).toEqual(judge(historyOf(7)).story);
  });

  it('contain every action', () => {
    const done = new Set<string>();
    for (let seed = 0; seed < 400; seed++) for (const step of historyOf(seed).steps) done.add(step.kind === 'poll' ? 'poll' : step.action);
    expect([...done].sort()).toEqual([
      'addColumn',
      'bootConsole',
      'build',
      'cancel',
      'clearLogs',
      'comeBack',
      'create',
      'dropColumn',
      'edit',
      'fail',
      'finish',
      'giveUp',
      'kill',
      'killConsole',
      'lose',
      'loseCluster',
      'map',
      'optIn',
      'optOut',
      'poll',
      'recheck',
      'refuse',
      'remakeSchema',
      'remove',
      'returnCluster',
      'revoke',
      'rollBack',
      'savepoint',
      'secondMaster',
      'settleStop',
      'start',
      'stopFails',
      'stopLost',
      'stopOutside',
      'stopWithSavepoint',
      'submit',
      'watch',
    ]);
  });

  it('are cut down to what a failure takes', () => {
    const history = historyOf(3);
    const refused = (steps: typeof history.steps) => {
      const console = play({ ...history, steps }, { onPoll: () => undefined });
      return console.runs.some((run) => run.kind === 'started');
    };
    const small = smallest(history, (steps) => refused(steps));
    expect(small.steps.map((step) => (step.kind === 'poll' ? 'poll' : step.action))).toEqual(['start', 'submit']);
  });
});
