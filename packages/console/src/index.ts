/**
 * The console as routes for a router: a page that shows jobs, transcripts and presets. Other built
 * files can be served in the same way.
 */

export type { Access, Authorize } from "./ApiProxy.ts"
export * as Console from "./Console.ts"
export * as StaticFiles from "./StaticFiles.ts"
