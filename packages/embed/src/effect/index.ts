/**
 * Parts for Verbatim inside an Effect program. The services and the ports are those of
 * `@verbatim/core`, and the API is that of `@verbatim/http`.
 */

export { type EngineLayer, toEngine } from "../Engine.ts"
export { platform } from "../Platform.ts"
export { client } from "./Client.ts"
export { type Settings, settings } from "./Settings.ts"
export { type WorkerOptions, worker, workerName } from "./Work.ts"
