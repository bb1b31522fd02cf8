// The codes that a daemon has logged, without the planner's: the applications of these tests have no scripts.
import { coded } from '../e2e/scene.ts';
import type { TestDaemon } from '../support/daemon.ts';

/** Each code once per line. */
export const codesOf = (daemon: TestDaemon): string[] =>
  coded(daemon)
    .map(({ code }) => code)
    .filter((code) => code !== 'PLANNER_UNAVAILABLE');

/** Ready, and nothing to say but about the planner. */
export function isWell({ daemon }: TestDaemon): boolean {
  const { ready, reasons } = daemon.readiness();
  return ready && reasons.every(({ code }) => code === 'PLANNER_UNAVAILABLE');
}
