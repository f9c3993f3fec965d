/** The console: a page to look at jobs, transcripts and presets, as routes for a router. */

export * as Console from "./Console.ts"
export type { Access, Authorize } from "./Gate.ts"
