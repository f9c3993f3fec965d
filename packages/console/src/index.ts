/** The console as routes for a router: a page that shows jobs, transcripts and presets. */

export type { Access, Authorize } from "./ApiProxy.ts"
export * as Console from "./Console.ts"
