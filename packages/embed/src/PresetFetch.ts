/** Presets in the programs of a host, read from its own store. */
import {
  type AnyFetch,
  type PresetFetchOptions,
  presetFetch as presetFetchOf
} from "@verbatim/client/presets"

export type { AnyFetch, PresetFetchOptions }

/**
 * `presetFetch` of the client, that asks the store before each request: `maxAge` and `staleIfError`
 * are 0 unless they are given. `verbatim` is what `open` gives, or `as`.
 */
export const presetFetch = <Fetch extends AnyFetch>(
  fetch: Fetch,
  options: PresetFetchOptions
): Fetch => presetFetchOf(fetch, { maxAge: 0, staleIfError: 0, ...options })
