// Looks now and then at the properties of the opted-in applications, beside the polls and never in their way.
import { createSettled, type InjectionPlan, injectionPlan, injectRound, type Outcome } from '../injection/injection.ts';
import { listInjections } from '../state/state.ts';
import type { AppKey } from '../watch/watch.ts';
import { type Context, LeaseLost } from './context.ts';
import { troubleOf } from './trouble.ts';

const everyMs = 60_000;

export interface Injecting {
  /** Begins a look if one is due and none is under way. */
  tick(apps: () => AppKey[]): void;
  /** Takes everything back: no address is configured any more. */
  withdraw(): Promise<void>;
  /** Resolves when no look is under way. */
  idle(): Promise<void>;
}

export function createInjecting(context: Context): Injecting {
  const settled = createSettled(context.now);
  let lookedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> = Promise.resolve();
  let busy = false;

  /** @param last no other look will come */
  const look = async (plan: InjectionPlan | null, apps: readonly AppKey[], last: boolean): Promise<void> => {
    try {
      const outcomes = await injectRound({
        source: context.source,
        written: await listInjections(context.state.database.db),
        transaction: context.underLease,
        now: context.now,
        plan,
        apps,
        dryRun: false,
        settled,
      });
      for (const outcome of outcomes) tell(context, outcome, last);
      context.conditions.clear('SOURCE_PRIVILEGE', 'injection');
    } catch (error) {
      if (error instanceof LeaseLost || context.stopping.aborted) return;
      const trouble = troubleOf(error, context.state.database.label);
      if (trouble?.code === 'SOURCE_PRIVILEGE') context.conditions.raise('SOURCE_PRIVILEGE', 'injection', trouble.message);
      else
        context.log.warn(
          { stage: 'injection', code: trouble?.code ?? 'INTERNAL', err: trouble ?? error },
          'properties could not be looked at',
        );
    }
  };

  return {
    tick(apps) {
      // also when the clock was set back
      if (busy || Math.abs(context.now() - lookedAt) < everyMs) return;
      lookedAt = context.now();
      busy = true;
      running = look(injectionPlan(context.settings, context.effective()), apps(), false).finally(() => {
        busy = false;
      });
    },
    async withdraw() {
      await running;
      await look(null, [], true);
    },
    idle: () => running,
  };
}

/** One line for each change, with what came and went; tokens are masked by then. */
function tell({ log, metrics }: Context, { app, name, column, action, added, removed, reason }: Outcome, last: boolean): void {
  const facts = { stage: 'injection', app, name, column };
  if (action === 'written') log.info({ ...facts, added, removed }, 'listener properties written');
  else if (action === 'takenBack') log.info({ ...facts, added, removed }, 'listener properties taken back');
  else if (action === 'blocked' || (action === 'waiting' && last)) {
    metrics.conditions.inc({ code: 'INJECTION_BLOCKED' });
    log.warn({ ...facts, code: 'INJECTION_BLOCKED', reason }, last ? 'listener properties stay' : 'listener properties are not written');
  }
}
