/**
 * Defines the error for an outbound request that got no response. The details are for operators: an
 * error code and the host as the caller wrote it, never a resolved address or a peer's text.
 */
import { Duration, Effect, Predicate, Schema } from "effect"

/** An outbound request got no response. */
export class OutboundError extends Schema.TaggedError<OutboundError>()("OutboundError", {
  reason: Schema.TaggedUnion({
    /** The host name does not resolve. `code` is the resolver's error code. */
    Unresolved: { host: Schema.String, code: Schema.String },
    /**
     * The request failed for another reason: the guard refused the request, the host was
     * unreachable or too slow, or the connection broke.
     */
    Unreachable: { detail: Schema.String }
  })
}) {
  /** The reason for the failure, in one line for the log. */
  get detail(): string {
    const { reason } = this
    return reason._tag === "Unresolved" ? `${reason.host}: ${reason.code}` : reason.detail
  }
}

/** An error code is a word in capitals; any other text may come from a peer. */
const code = /^[A-Z][A-Z0-9_]{0,63}$/

/** Returns the error code from Node, OpenSSL, undici or the resolver. */
export const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code) && code.test(cause.code)
    ? cause.code
    : "UNKNOWN"

/** Creates an error from a host and a reason. */
export const unreachable = (host: string, why: string): OutboundError =>
  new OutboundError({ reason: { _tag: "Unreachable", detail: `${host}: ${why}` } })

/** Fails if there is no response within the limit. */
export const within = (limit: Duration.Duration) =>
  Effect.timeoutOrElse({
    duration: limit,
    orElse: () => {
      const millis = Duration.toMillis(limit)
      // The rest of a longer limit, such as 114.907 s, is shown in whole seconds.
      const rounded = millis < 1_000 ? limit : Duration.seconds(Math.round(millis / 1_000))
      const detail = `no answer within ${Duration.format(rounded)}`
      return Effect.fail(new OutboundError({ reason: { _tag: "Unreachable", detail } }))
    }
  })
