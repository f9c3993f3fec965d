/**
 * Presets in the program of a host: the `fetch` of any SDK, which lays requests over presets. What
 * they mean is read from the store, for each request unless the host allows more.
 */
import {
  type AnyFetch,
  makePinReader,
  makePresetFetch,
  type PinAnswer,
  type PinRefusalCode,
  type PinSource,
  platformClock,
  type Resolved,
  usualLimits
} from "@verbatim/resolution/pins"
import { InvalidInput, NotFound, Refused } from "./Errors.ts"
import { fetchOptions } from "./open/Calls.ts"
import type { UseMethods } from "./open/PresetUse.ts"
import type { Asker } from "./open/Workspaces.ts"

export type { AnyFetch, Resolved }

/** How presets are looked up. */
export interface PresetFetchOptions extends Asker {
  /** What `open` gives. */
  readonly verbatim: { readonly presets: Pick<UseMethods, "pin"> }
  /** Milliseconds in which the store is not asked again. Default: 0. */
  readonly maxAge?: number | undefined
  /** Milliseconds beyond `maxAge` in which the last answer serves while the store is away: 0. */
  readonly staleIfError?: number | undefined
  /** Told what each request was laid over, before it leaves. What it throws ends the request. */
  readonly onResolved?: ((resolved: Resolved) => void) | undefined
}

const formats = { responses: "responses", chat: "chatCompletions", messages: "messages" } as const

/** What cannot be helped by asking again. A store that is away is no answer. */
const codeOf = (error: unknown): Exclude<PinRefusalCode, "Unavailable"> | undefined => {
  if (error instanceof NotFound) return "NoPreset"
  if (error instanceof Refused) return "PresetInactive"
  return error instanceof InvalidInput ? "NoReference" : undefined
}

const toAnswer = (error: unknown): PinAnswer => {
  const code = codeOf(error)
  if (code === undefined) throw error
  return { _tag: "Gone", code, message: error instanceof Error ? error.message : code }
}

const makeSource = (
  presets: Pick<UseMethods, "pin">,
  asker: { readonly workspace?: Asker["workspace"]; readonly user?: Asker["user"] }
): PinSource => ({
  pin: ({ reference }) =>
    presets.pin({ ...asker, preset: reference }).then(
      ({ config, format, slug, systemPrompt, version, versionId, wins }): PinAnswer => ({
        _tag: "Pinned",
        pinned: {
          ...{ slug, versionId },
          version: { version, format: formats[format], systemPrompt, config, wins }
        }
      }),
      toAnswer
    )
})

/**
 * Wraps a `fetch`: a POST to a path that ends in `/responses`, `/chat/completions` or `/messages`,
 * whose JSON names a preset, leaves with everything that the preset adds; all else is untouched. A
 * preset that cannot be used is answered with an error that SDKs show: 404, 424, 400 or 503.
 * Options that cannot be meant are thrown as `InvalidInput`.
 */
export const presetFetch = <Fetch extends AnyFetch>(
  fetch: Fetch,
  options: PresetFetchOptions
): Fetch => {
  fetchOptions.judge(options)
  const { maxAge = 0, onResolved, staleIfError = 0, user, verbatim, workspace } = options
  const limits = { ...usualLimits, maxAge, staleIfError }
  const source = makeSource(verbatim.presets, { workspace, user })
  const reader = makePinReader({ source, clock: platformClock, limits })
  return makePresetFetch(fetch, { reader, onResolved })
}
