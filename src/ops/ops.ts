// Ops: log, metrics, health and start/stop order; nothing of the domain.
export { listen, type OpsServer, type Readiness, startOpsServer } from './http.ts';
export { awaitSignal, type Part, stopParts } from './lifecycle.ts';
export { Conditions, createLog, describeError, type Log } from './log.ts';
export { residentBytes } from './memory.ts';
export { createMetrics, type Metrics } from './metrics.ts';
