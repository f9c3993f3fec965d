/**
 * Why a request to the outside got no answer. Operators read the details: they name a code and the
 * host as the caller wrote it, never an address from a resolver or text from a peer.
 */
import { Duration, Effect, Predicate, Schema } from "effect"

/** A request that got no answer. */
export class OutboundError extends Schema.TaggedError<OutboundError>()("OutboundError", {
  reason: Schema.TaggedUnion({
    /** The host name has no address. `code` is the resolver's. */
    Unresolved: { host: Schema.String, code: Schema.String },
    /** Anything else: refused by the guard, unreachable, too slow, cut off. */
    Unreachable: { detail: Schema.String }
  })
}) {
  /** Either reason as one line. */
  get detail(): string {
    const { reason } = this
    return reason._tag === "Unresolved" ? `${reason.host}: ${reason.code}` : reason.detail
  }
}

/** Codes are words in capitals; anything else in their place came from elsewhere. */
const code = /^[A-Z][A-Z0-9_]{0,63}$/

/** The code of a failure of Node, OpenSSL, undici or the resolver. */
export const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code) && code.test(cause.code)
    ? cause.code
    : "UNKNOWN"

/** Nothing came back from the host, for this reason. */
export const unreachable = (host: string, why: string): OutboundError =>
  new OutboundError({ reason: { _tag: "Unreachable", detail: `${host}: ${why}` } })

/** Fails when nothing came back within the limit. */
export const within = (limit: Duration.Duration) =>
  Effect.timeoutOrElse({
    duration: limit,
    orElse: () => {
      const detail = `no answer within ${Duration.format(limit)}`
      return Effect.fail(new OutboundError({ reason: { _tag: "Unreachable", detail } }))
    }
  })
