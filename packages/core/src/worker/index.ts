/** The worker of a process: `Worker.layer`, and the layers that run with it. */

export { workspaceCollection } from "../services/retention/WorkspaceRemoval.ts"
export { sumFailures } from "./AttemptEnd.ts"
export { tasksThatNeed } from "./Circuits.ts"
export * as ExpiryCollection from "./ExpiryCollection.ts"
export { Gauges } from "./Gauges.ts"
export * as Heartbeat from "./Heartbeat.ts"
export { type DayOverview, WorkerOverviews } from "./Heartbeat.ts"
export * as MediaCollection from "./MediaCollection.ts"
export { QueueHistory, type QueueSample } from "./QueueHistory.ts"
export { type Concurrency, LaneConcurrency } from "./Slots.ts"
export { type Activity, drainFirst, type Ports, Worker } from "./Worker.ts"
