/**
 * What a log says about failed requests. A cause is told in full when it is new. While it goes on,
 * a line says that requests fail as before, and how many: with a full disk every request fails, and
 * two kilobytes for each would keep it full.
 */
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { isOutage } from "./Outage.ts"

/** A failure counts as new when it was not seen for this long. */
const quietMillis = 60_000

/** Lines about one cause come at least this far apart. */
const spacingMillis = 1_000

/** Causes that are remembered. What they are told apart by is code, not what a client sent. */
const rememberedMax = 128

/** Characters of a path, and of what an error says, in a line. */
const shownMax = 200

interface Going {
  seenAt: number
  toldAt: number
  /** Requests since the last line. */
  untold: number
}

const linkMax = 8

/** An error and what caused it, outermost first. */
const chainOf = (error: unknown): ReadonlyArray<object> => {
  const chain: Array<object> = []
  let link: unknown = error
  while (typeof link === "object" && link !== null && chain.length < linkMax) {
    chain.push(link)
    link = Reflect.get(link, "cause")
  }
  return chain
}

const textOf = (error: object, name: string): string => String(Reflect.get(error, name) ?? "")

const firstFrame = (error: object): string => textOf(error, "stack").match(/\n\s+at .*/)?.[0] ?? ""

/** What tells causes apart. An outage is one, whatever asked the store meanwhile. */
const keyOf = (cause: Cause.Cause<unknown>): string => {
  const chain = chainOf(Cause.squash(cause))
  const names = chain.map((error) => ["name", "code", "errcode"].map((name) => textOf(error, name)))
  return isOutage(cause)
    ? String(names.at(-1))
    : [...names, firstFrame(chain.at(-1) ?? {})].join("\n")
}

/** Whatever breaks a line in a terminal. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

const shorten = (text: string): string => text.replace(breaks, " ").slice(0, shownMax)

/** The first and the last of an error and its causes. */
const summarize = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const said = chainOf(error).map((link) => textOf(link, "message"))
  const ends = new Set([said[0], said.at(-1)].filter((text) => text))
  return shorten(ends.size === 0 ? String(error) : [...ends].join(": "))
}

interface Failure {
  /** What failed, in a few words. */
  readonly what: string
  readonly cause: Cause.Cause<unknown>
}

export class FailureLog extends Context.Service<
  FailureLog,
  {
    /** Tells of a failed request: with the whole cause, or in a line. */
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
      const told = note(keyOf(cause), yield* Clock.currentTimeMillis)
      if (told === undefined) return
      const { method, url } = yield* HttpServerRequest.HttpServerRequest
      const [path = ""] = url.split("?", 1)
      const more = told.untold === 0 ? "" : ` (and ${told.untold} more requests)`
      if (!told.isNew) {
        const line = `${what} as before${more}: ${method} ${shorten(path)}: ${summarize(cause)}`
        return yield* Effect.logError(line)
      }
      yield* Effect.logError(`${what}${more}`, cause).pipe(
        Effect.annotateLogs({ method, path: shorten(path) })
      )
    })

    return { tell }
  })
}
