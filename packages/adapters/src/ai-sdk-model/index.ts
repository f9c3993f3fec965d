/**
 * Verbatim as a transcription model of the AI SDK, for code that calls `transcribe`. It speaks the
 * HTTP API by `fetch` and loads no other package.
 */
export type { VerbatimOptions } from "./Parameters.ts"
export type { ServerOptions } from "./Requests.ts"
export { type VerbatimModelOptions, verbatimModel } from "./VerbatimModel.ts"
