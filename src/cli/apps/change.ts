// `apps enable` and `apps disable`: sets the column lineage_enable of the named applications.
import { UsageError } from '../../errors/errors.ts';
import { type ApplyOptions, type OptInTarget, setOptIn } from '../../optin/optin.ts';
import type { OptIn } from '../../settings/settings.ts';
import type { AppKey, Source } from '../../watch/watch.ts';
import { counted } from '../table.ts';

export interface ChangeContext {
  readonly source: Source;
  readonly optIn: OptIn;
  readonly apply: ApplyOptions;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** Exactly one of the three says which applications. */
export interface ChangeFlags {
  readonly keys: readonly AppKey[];
  readonly team: string | undefined;
  readonly all: boolean;
  readonly json: boolean;
}

/**
 * Changes the opt-in.
 * @returns 1 when a key belongs to no application; the others were changed all the same
 * @throws ConfigError when it is not clear which applications are meant
 * @throws SourceError
 */
export async function changeOptIn(value: boolean, flags: ChangeFlags, context: ChangeContext): Promise<0 | 1> {
  const target = targetOf(flags);
  const onLocked = () => context.err('the rows are locked by another session; trying again');
  const change = await setOptIn(context.source, target, value, { ...context.apply, onLocked });
  if (flags.json) context.out(JSON.stringify({ enabled: value, ...change }));
  else {
    context.out(`${counted(change.changed, 'application')} ${value ? 'enabled' : 'disabled'}, ${change.unchanged} so already`);
    for (const key of change.unknown) context.err(`no application ${key}`);
  }
  if (context.optIn !== 'column') {
    context.err('The settings opt in by lists (optIn), so the column has no effect until optIn is `column` again.');
  }
  return change.unknown.length > 0 ? 1 : 0;
}

function targetOf({ keys, team, all }: ChangeFlags): OptInTarget {
  const ways = [keys.length > 0, team !== undefined, all].filter(Boolean).length;
  if (ways !== 1) throw new UsageError('apps', 'name applications (flink:100001 …), or give --team, or --all: exactly one of the three');
  if (team !== undefined) return { kind: 'team', team };
  return all ? { kind: 'all' } : { kind: 'keys', keys };
}
