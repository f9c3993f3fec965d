/** Which pages of corrections a caller may ask for. */
import { Option, Result } from "effect"
import { InvalidParameter } from "../transcription/TranscriptionRefusal.ts"

/** Which pages a caller wants, as texts of a query. An empty one is the same as none. */
export interface WantedCorrections {
  /** Versions before that one; the latest where it is left out. */
  readonly before?: string | undefined
  /** Most versions in the answer. */
  readonly limit?: string | undefined
  /** Corrected segments from that one on. */
  readonly fromSegment?: string | undefined
}

/** Versions in one answer, at most. */
export const versionPageMax = 100

/** Versions in one answer when the caller does not say how many. */
export const versionPageDefault = 20

interface Pages {
  readonly before: Option.Option<number>
  readonly limit: number
  readonly fromSegment: number
}

/** Digits only: `Number` would take ` 1e1` as well. */
const read = (
  parameter: string,
  {
    max,
    min,
    text
  }: { readonly text: string | undefined; readonly min: number; readonly max: number }
): Result.Result<Option.Option<number>, InvalidParameter> => {
  if (text === undefined || text === "") return Result.succeed(Option.none())
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count >= min && count <= max) return Result.succeed(Option.some(count))
  const detail = `Invalid '${parameter}' value. Must be an integer from ${min} to ${max}`
  return Result.fail(new InvalidParameter({ parameter, detail }))
}

/** More than there are segments, or versions, of any transcript. */
const numberMax = 999_999_999

/** Reads the pages, or refuses the first parameter that is wrong. */
export const parseWanted = (wanted: WantedCorrections): Result.Result<Pages, InvalidParameter> =>
  Result.gen(function* () {
    const { before, fromSegment, limit } = wanted
    return {
      before: yield* read("before", { text: before, min: 1, max: numberMax }),
      limit: Option.getOrElse(
        yield* read("limit", { text: limit, min: 1, max: versionPageMax }),
        () => versionPageDefault
      ),
      fromSegment: Option.getOrElse(
        yield* read("from_segment", { text: fromSegment, min: 0, max: numberMax }),
        () => 0
      )
    }
  })
