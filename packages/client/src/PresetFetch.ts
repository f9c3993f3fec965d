/**
 * Presets in the programs of others: the `fetch` of any SDK, which lays requests over presets. The
 * server of presets is asked what they mean now and then; no inference request passes through it.
 */
import {
  type AnyFetch,
  type Fallback,
  makePinReader,
  makePresetFetch,
  type PinClock,
  platformClock,
  type Resolved,
  readFallback,
  usualLimits
} from "@verbatim/resolution/pins"
import type { VerbatimClient } from "./Client.ts"
import { judgeOptions } from "./FetchOptions.ts"
import { makePinSource } from "./PinSource.ts"

export type { AnyFetch, Resolved }

/** How presets are looked up. */
export interface PresetFetchOptions {
  /** Asks for presets; its key is sent to its server alone. An inference key is enough. */
  readonly verbatim: Pick<VerbatimClient, "GET">
  /**
   * Milliseconds: what a reference means is never older when a request is made, unless `onResolved`
   * reports it. Read again in the background from half of it on. Default: a minute.
   */
  readonly maxAge?: number | undefined
  /**
   * Milliseconds beyond `maxAge` in which the last answer serves while the server is away. Default:
   * a day.
   */
  readonly staleIfError?: number | undefined
  /**
   * Presets that are used while the server was never reached, as `verbatim presets export` writes
   * them: a list of documents, or `exportedPresets(path)` of `@verbatim/client/file`. They answer
   * slugs alone: a file knows neither versions nor labels.
   */
  readonly fallback?: ReadonlyArray<object> | (() => Promise<ReadonlyArray<object>>) | undefined
  /** Told what each request was laid over, before it leaves. What it throws ends the request. */
  readonly onResolved?: ((resolved: Resolved) => void) | undefined
}

/** A minute is what people wait for a rollback; a day is a night and the morning after it. */
const usual = { maxAge: 60_000, staleIfError: 86_400_000 }

/** The same with a clock of the caller's. */
export const makeClientPresetFetch = <Fetch extends AnyFetch>(
  fetch: Fetch,
  options: PresetFetchOptions,
  clock: PinClock
): Fetch => {
  judgeOptions(options)
  const { maxAge = usual.maxAge, staleIfError = usual.staleIfError, verbatim } = options
  const limits = { ...usualLimits, maxAge, staleIfError }
  const { fallback: given, onResolved } = options
  const source = makePinSource(verbatim)
  let read: Promise<Fallback> | undefined
  const fallback = async () => {
    const documents = typeof given === "function" ? await given() : (given ?? [])
    return readFallback(documents as Parameters<typeof readFallback>[0])
  }
  const forget = (cause: unknown) => {
    read = undefined
    throw cause
  }
  const readOnce = () => (read ??= fallback().catch(forget))
  const reader = makePinReader({ source, clock, limits, fallback: readOnce })
  return makePresetFetch(fetch, { reader, onResolved })
}

/**
 * Wraps a `fetch`: a POST to a path that ends in `/responses`, `/chat/completions` or `/messages`,
 * whose JSON names a preset, leaves with everything that the preset adds; all else is untouched. A
 * preset that cannot be used, or is named as the model of another endpoint, is answered with an
 * error that SDKs show: 404, 424, 400 or 503.
 * Options that cannot be meant are a `TypeError`.
 */
export const presetFetch = <Fetch extends AnyFetch>(
  fetch: Fetch,
  options: PresetFetchOptions
): Fetch => makeClientPresetFetch(fetch, options, platformClock)
