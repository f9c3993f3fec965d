/**
 * Rechecks whether subscribers and waiting callers still have access. Callers with the same key are
 * checked together, so the cost depends on the number of keys, not of subscribers.
 */
import type { Workspaces } from "@verbatim/core/services"
import { Deferred, Duration, Effect, RcMap, Redacted, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Authenticator, makeIdentify } from "../auth/Authentication.ts"

/** A caller is served for at most this long after their key was revoked. */
const revokedMax = Duration.seconds(30)

/**
 * Interval between checks: half of the maximum, because a stream ends only when it sends its next
 * comment.
 */
const interval = Duration.divideUnsafe(revokedMax, 2)

type Request = HttpServerRequest.HttpServerRequest

/** Returns the request's token, which was checked on arrival. */
const readCredential = ({ headers }: Request): string =>
  (headers.authorization ?? "").replace(/^bearer +/i, "")

/** Returns a function that waits until the caller of a request loses access. */
export const makeAwaitRefusal: Effect.Effect<
  (request: Request) => Effect.Effect<void>,
  never,
  Authenticator | Scope.Scope | Workspaces
> = Effect.gen(function* () {
  const { isByCredential = false } = yield* Authenticator
  const identify = yield* makeIdentify

  /** The caller keeps access if a lookup fails or is not answered before the next one. */
  const isRefused = (request: Request) =>
    // Every check calls `identify` again, because a host's function can decide before it returns an
    // effect.
    Effect.suspend(() =>
      identify({ request, credential: Redacted.make(readCredential(request)) })
    ).pipe(
      Effect.as(false),
      Effect.timeout(interval),
      Effect.catch((error) => Effect.succeed(error._tag === "Unauthenticated")),
      Effect.catchDefect(() => Effect.succeed(false))
    )

  const repeatUntil = (check: Effect.Effect<boolean>, pause: Duration.Duration) =>
    Effect.asVoid(Effect.repeat(Effect.delay(check, pause), { while: (is) => !is }))

  /**
   * Checks each token once for all subscribers with that token, using the first subscriber's
   * request.
   */
  const shared = yield* RcMap.make({
    lookup: (_credential: string) =>
      Effect.map(Effect.scope, (scope) => {
        const refused = Deferred.makeUnsafe<void>()
        let isChecking = false
        return Effect.fnUntraced(function* (request: Request) {
          if (!isChecking) {
            isChecking = true
            const checking = Deferred.into(repeatUntil(isRefused(request), interval), refused)
            yield* Effect.forkIn(checking, scope)
          }
          yield* Deferred.await(refused)
        })
      })
  })

  return (request) => {
    const credential = readCredential(request)
    // Requests without a key are checked one by one by the host.
    return isByCredential && credential !== ""
      ? Effect.scoped(
          Effect.flatMap(RcMap.get(shared, credential), (waitRefused) => waitRefused(request))
        )
      : repeatUntil(isRefused(request), revokedMax)
  }
})
