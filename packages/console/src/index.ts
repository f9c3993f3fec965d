/**
 * The console as routes for a router: a page that shows jobs, transcripts and presets. Also serves
 * the built files of any folder.
 */

export type { Access, Authorize } from "./ApiProxy.ts"
export * as Console from "./Console.ts"
export * as StaticFiles from "./StaticFiles.ts"
