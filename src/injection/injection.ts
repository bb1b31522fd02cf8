// The engines' own OpenLineage listeners, set up through the properties of opted-in applications: the exception to the rule that nothing of
// StreamPark is changed. Off by default, taken back exactly.
export { decideInjection, type Written } from './decide.ts';
export { appendProperties, takeBack } from './edit.ts';
export { type InjectionPlan, injectionPlan } from './plan.ts';
export { injectRound, type Outcome, type RoundParts, type Settled } from './round.ts';
export { createSettled } from './settled.ts';
export { callsListeners, flinkProperties, type ListenerTarget, sparkProperties } from './wanted.ts';
