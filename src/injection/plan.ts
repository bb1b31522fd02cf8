// What shall stand in the properties of opted-in applications, after the settings and the address in force.
import type { Effective, Settings } from '../settings/settings.ts';
import { targetOf } from '../transports/transports.ts';
import type { ListenerTarget, SparkJars } from './wanted.ts';

export interface InjectionPlan {
  readonly spark: boolean;
  readonly flink: boolean;
  readonly target: ListenerTarget;
  readonly jars: SparkJars;
}

/** The plan; null when nothing of ours shall stand anywhere: not enabled, or no http address. */
export function injectionPlan({ injection }: Pick<Settings, 'injection'>, effective: Effective): InjectionPlan | null {
  const destination = effective.destinations.find((one) => one.type === 'http');
  if (!injection.enabled || destination?.type !== 'http') return null;
  const { endpoint, preset } = destination;
  const url = targetOf({ url: injection.url ?? destination.url, preset, ...(endpoint === undefined ? {} : { endpoint }) });
  return {
    spark: injection.spark,
    flink: injection.flink ?? effective.nativeListener,
    target: {
      url: url.origin,
      endpoint: url.pathname,
      namespace: effective.namespace,
      token: injection.token === 'plain' ? destination.token : undefined,
    },
    jars: { packages: injection.sparkPackages, jars: injection.sparkJars },
  };
}
