/**
 * `MediaFetcher` over the guarded client. Redirects are followed by hand, at most five, each judged
 * like a URL from a caller. Bodies are taken as they come: identity encoding, never inflated.
 */
import { MediaFetcher, MediaFetcherError } from "@verbatim/core/ports/MediaFetcher"
import { type Duration, Effect, Layer, type Scope, Stream } from "effect"
import * as Guard from "./Guard.ts"
import { type Answer, exchange } from "./GuardedClient.ts"
import { type OutboundError, tooSlow, unreachable } from "./OutboundError.ts"
import { isCompressed, mediaFrom } from "./RemoteHeaders.ts"
import { contentOf } from "./Transfer.ts"

const headers = {
  accept: "*/*",
  "accept-encoding": "identity",
  "user-agent": "verbatim"
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const toPortError = ({ reason }: OutboundError): MediaFetcherError =>
  new MediaFetcherError({ reason })

/** A caller is told that a name does not resolve only when it is the name that the caller gave. */
const asHop = (error: OutboundError): OutboundError =>
  error.reason._tag === "Unresolved" ? unreachable(error.reason.host, error.reason.code) : error

/** The next URL as text, before the parser repairs what is wrong with it. */
const locationOf = (answer: Answer): string | undefined => {
  const location = answer.headers.location
  if (typeof location !== "string") return undefined
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location
  if (location.includes("\\")) return undefined
  return URL.parse(location, answer.url.href)?.href
}

/** Asks for the URL and follows to the answer that is the media. */
const reach = Effect.fnUntraced(function* (
  url: string,
  guard: Guard.Guard
): Effect.fn.Return<Answer, OutboundError, Scope.Scope> {
  let answer = yield* exchange({ url, method: "GET", headers }, guard)
  for (let hop = 1; redirects.has(answer.status); hop++) {
    yield* answer.discard
    const host = answer.url.hostname
    if (hop > guard.limits.redirectMax) return yield* unreachable(host, "TooManyRedirects")
    const location = locationOf(answer)
    if (location === undefined) return yield* unreachable(host, "InvalidRedirect")
    answer = yield* Effect.mapError(
      exchange({ url: location, method: "GET", headers }, guard),
      asHop
    )
  }
  const host = answer.url.hostname
  if (answer.status < 200 || answer.status > 299) {
    yield* answer.discard
    return yield* unreachable(host, `Status ${answer.status}`)
  }
  if (isCompressed(answer)) {
    yield* answer.discard
    return yield* unreachable(host, "Compressed")
  }
  return answer
})

const within = (duration: Duration.Duration) =>
  Effect.timeoutOrElse({
    duration,
    orElse: () => Effect.fail(tooSlow(duration))
  })

/** A `MediaFetcher` that reaches public hosts, and the networks that the options allow. */
export const layer = (options: Guard.GuardOptions): Layer.Layer<MediaFetcher> => {
  const guard = Guard.make(options)
  const { checkTimeout, openTimeout } = guard.limits
  return Layer.succeed(MediaFetcher, {
    // GET, because many origins refuse HEAD or sign their URLs for GET alone.
    check: Effect.fn("MediaFetcher.check")(
      (url: string) => Effect.scoped(Effect.map(reach(url, guard), mediaFrom)),
      within(checkTimeout),
      Effect.mapError(toPortError)
    ),
    fetch: Effect.fn("MediaFetcher.fetch")(
      (url: string) => reach(url, guard),
      within(openTimeout),
      Effect.map((answer) => ({
        ...mediaFrom(answer),
        content: Stream.mapError(contentOf(answer, guard.limits), toPortError)
      })),
      Effect.mapError(toPortError)
    )
  })
}
