/**
 * Runs Verbatim inside any program: `open` returns an API client that handles its calls within this
 * process.
 */

import {
  type AnyFetch,
  type PresetFetchOptions,
  presetFetch as presetFetchOf
} from "@verbatim/client/presets"
import type { Options } from "./Options.ts"
import type { Verbatim } from "./Verbatim.ts"

export type {
  CallOptions,
  ConditionOptions,
  CreateOptions,
  components,
  EventOptions,
  LiveEvent,
  LiveText,
  Operations,
  TranscriptionRequest,
  VerbatimClient,
  WaitOptions
} from "@verbatim/client"
export { VerbatimError } from "@verbatim/client"
export {
  DatabaseUnavailable,
  type Details,
  EngineRefused,
  EngineUnavailable,
  InvalidOptions,
  OpenError
} from "./Errors.ts"
export type * from "./Options.ts"
export type { Embedded, Transaction, Verbatim } from "./Verbatim.ts"
export type { AnyFetch, PresetFetchOptions }

/**
 * Opens the stores, migrates them to the current schema, and starts a worker unless `roles`
 * excludes it. Rejects with `InvalidOptions` or `DatabaseUnavailable`.
 *
 * @example
 * ```ts
 * import { open } from "@verbatim/embed"
 * import { pocketsphinx } from "@verbatim/embed/engines"
 *
 * const { transcriptions } = await open({ database: "sqlite:app.db", transcribe: pocketsphinx() })
 * const { id } = await transcriptions.create({ path: "talk.mp3" })
 * const { error } = await transcriptions.wait(id)
 * console.log(error ?? (await transcriptions.result(id, "plain_text")))
 * ```
 */
export const open = async (options: Options): Promise<Verbatim> => {
  // The implementation is imported only when `open` is called, so that importing this module stays
  // fast. The schema compiler must be imported before the first schema; it makes creating a preset
  // 9 % cheaper, and resolving one 10 % cheaper.
  if (options?.compiledSchemas !== false) await import("effect/schema/SchemaJITCompiler/enable")
  return (await import("./open/open.ts")).open(options)
}

/**
 * The same as the client's `presetFetch`, but it reads the store before each request: `maxAge` and
 * `staleIfError` default to 0. `verbatim` is the result of `open` or `as`.
 *
 * @example
 * ```ts
 * const openai = new OpenAI({ fetch: presetFetch(fetch, { verbatim }) })
 * await openai.responses.create({ model: "@preset/notes", input: "Hello" })
 * ```
 */
export const presetFetch = <Fetch extends AnyFetch>(
  fetch: Fetch,
  options: PresetFetchOptions
): Fetch => presetFetchOf(fetch, { maxAge: 0, staleIfError: 0, ...options })
