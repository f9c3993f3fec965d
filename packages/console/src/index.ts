/** The console: a page to look at jobs, transcripts and presets, as routes for a router. */

export type { Access, Authorize } from "./ApiProxy.ts"
export * as Console from "./Console.ts"
