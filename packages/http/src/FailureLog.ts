/**
 * What a log says about failed requests. A cause is told at length when it is new. While it goes
 * on, a line says that requests fail as before, and how many: with a full disk every request fails,
 * and two kilobytes for each would keep it full.
 */
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { chainOf } from "./CauseChain.ts"
import { isOutage } from "./Outage.ts"
import { RequestNotes } from "./RequestNotes.ts"
import { framesOf, messageOf, shorten, textOf, toToldCause, withoutContent } from "./ToldCause.ts"

/** A failure counts as new when it was not seen for this long. */
const quietMillis = 60_000

/** Lines about one cause come at least this far apart. */
const spacingMillis = 1_000

const nanosPerMilli = 1_000_000n

/** Causes that are remembered. What they are told apart by is code, not what a client sent. */
const rememberedMax = 128

interface Going {
  seenAt: number
  toldAt: number
  /** Requests since the last line. */
  untold: number
}

/** A frame of the platform, the same for everyone who calls it: `JSON.parse`. */
const isOfPlatform = (frame: string): boolean => /\((<anonymous>|native|node:.*)\)$/.test(frame)

/** Where an error was made. */
const placeOf = (error: object): string =>
  framesOf(error).find((frame) => !isOfPlatform(frame)) ?? ""

const namesOf = (error: object): string =>
  ["name", "code", "errcode"].map((name) => shorten(textOf(error, name))).join()

const hasCode = (error: object): boolean => textOf(error, "code") + textOf(error, "errcode") !== ""

/**
 * What tells causes apart. An outage is one, whatever asked the store meanwhile: what a platform or
 * a driver gave a code is the same wherever it was made.
 */
const keyOf = (cause: Cause.Cause<unknown>): string => {
  const chain = chainOf(Cause.squash(cause))
  const last = chain.at(-1) ?? {}
  if (!isOutage(cause)) return [...chain.map(namesOf), placeOf(last)].join("\n")
  return hasCode(last) ? namesOf(last) : namesOf(last) + placeOf(last)
}

/** The first and the last of an error and its causes. */
const summarize = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const said = chainOf(error).map(messageOf)
  const ends = new Set([said[0], said.at(-1)].filter((text) => text))
  if (ends.size > 0) return shorten([...ends].join(": "))
  return typeof error === "object" ? "it says nothing" : withoutContent(String(error))
}

interface Failure {
  /** What failed, in a few words. */
  readonly what: string
  readonly cause: Cause.Cause<unknown>
}

export class FailureLog extends Context.Service<
  FailureLog,
  {
    /** Tells of a failed request: with its cause and where it began, or in a line. */
    readonly tell: (
      failure: Failure
    ) => Effect.Effect<void, never, HttpServerRequest.HttpServerRequest>
  }
>()("@verbatim/http/FailureLog") {
  static readonly layer: Layer.Layer<FailureLog> = Layer.sync(FailureLog, () => {
    const going = new Map<string, Going>()

    /** Requests that were not told of, where there is something to tell now. */
    const note = (key: string, now: number): { isNew: boolean; untold: number } | undefined => {
      const known = going.get(key)
      going.delete(key)
      if (known === undefined || now - known.seenAt >= quietMillis) {
        going.set(key, { seenAt: now, toldAt: now, untold: 0 })
        const [oldest] = going.keys()
        if (going.size > rememberedMax && oldest !== undefined) going.delete(oldest)
        return { isNew: true, untold: known?.untold ?? 0 }
      }
      going.set(key, known)
      known.seenAt = now
      if (now - known.toldAt < spacingMillis) {
        known.untold += 1
        return undefined
      }
      const { untold } = known
      known.toldAt = now
      known.untold = 0
      return { isNew: false, untold }
    }

    const tell = Effect.fnUntraced(function* ({ cause, what }: Failure) {
      // A clock that is set back would make the last line one of the future, and the log silent.
      const now = Number((yield* Clock.monotonicTimeNanos) / nanosPerMilli)
      const told = note(keyOf(cause), now)
      if (told === undefined) return
      const { method, url } = yield* HttpServerRequest.HttpServerRequest
      const { jobId } = (yield* RequestNotes) ?? {}
      const job = jobId === undefined ? {} : { job: shorten(jobId) }
      const [path = ""] = url.split("?", 1)
      const more = told.untold === 0 ? "" : ` (and ${told.untold} more requests)`
      if (!told.isNew) {
        const line = `${what} as before${more}: ${method} ${shorten(path)}: ${summarize(cause)}`
        return yield* Effect.annotateLogs(Effect.logError(line), job)
      }
      yield* Effect.logError(`${what}${more}`, toToldCause(cause)).pipe(
        Effect.annotateLogs({ ...job, method, path: shorten(path) })
      )
    })

    return { tell }
  })
}
