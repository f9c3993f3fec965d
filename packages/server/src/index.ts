/**
 * Verbatim for a host application: one layer, and what a host calls on it.
 */
export { type Configuration, configuration } from "./Configuration.ts"
export {
  type EmbedOptions,
  finished,
  layer,
  type OpenError,
  owner,
  type Parameters,
  transcribe
} from "./embed.ts"
export type { StoresError } from "./Stores.ts"
export { TemplatesError } from "./Templates.ts"
