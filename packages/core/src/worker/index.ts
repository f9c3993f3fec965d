/** What makes a process take on work: `Worker.layer`, and whatever runs beside it. */

export * as Drain from "./Drain.ts"
export * as ExpiryCollection from "./ExpiryCollection.ts"
export { Gauges } from "./Gauges.ts"
export * as MediaCollection from "./MediaCollection.ts"
export type { Parts } from "./Parts.ts"
export * as Presence from "./Presence.ts"
export { QueueHistory, type QueueSample } from "./QueueHistory.ts"
export { type Concurrency, LaneMax } from "./Slots.ts"
export { Surveys } from "./Surveys.ts"
export { type Activity, type Ports, Worker } from "./Worker.ts"
export * as WorkspaceCollection from "./WorkspaceCollection.ts"
