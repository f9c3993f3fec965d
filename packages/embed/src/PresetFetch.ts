/** Presets in a host's own programs, read from its store. */
import {
  type AnyFetch,
  type PresetFetchOptions,
  presetFetch as presetFetchOf
} from "@verbatim/client/presets"

export type { AnyFetch, PresetFetchOptions }

/**
 * The client's `presetFetch`, which reads the store before each request: `maxAge` and
 * `staleIfError` default to 0. `verbatim` is the result of `open` or `as`.
 */
export const presetFetch = <Fetch extends AnyFetch>(
  fetch: Fetch,
  options: PresetFetchOptions
): Fetch => presetFetchOf(fetch, { maxAge: 0, staleIfError: 0, ...options })
