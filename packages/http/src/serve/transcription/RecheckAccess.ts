/**
 * Whether those who listen, or wait for their call, still may. Whoever shows the same key is asked
 * for together, so that a thousand listeners cost no more than their keys do.
 */
import type { Workspaces } from "@verbatim/core/services"
import { Deferred, Duration, Effect, RcMap, Redacted, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Authenticator, makeIdentify } from "../auth/Authentication.ts"

/** How long somebody is served at most whose key was revoked. */
const revokedMax = Duration.seconds(30)

/** Half of it between two questions: a stream hears of the answer with its next comment. */
const interval = Duration.divideUnsafe(revokedMax, 2)

type Request = HttpServerRequest.HttpServerRequest

/** The token of a request, which was judged when it came. */
const credentialOf = ({ headers }: Request): string =>
  (headers.authorization ?? "").replace(/^bearer +/i, "")

/** Makes what ends when the caller of a request may not call any more. */
export const makeAwaitRefusal: Effect.Effect<
  (request: Request) => Effect.Effect<void>,
  never,
  Authenticator | Scope.Scope | Workspaces
> = Effect.gen(function* () {
  const { isByCredential = false } = yield* Authenticator
  const identify = yield* makeIdentify

  /** A look-up that failed, or has no answer when the next one is due, says nothing. */
  const isRefused = (request: Request) =>
    // A host may decide before it gives an effect: it is asked anew each time.
    Effect.suspend(() =>
      identify({ request, credential: Redacted.make(credentialOf(request)) })
    ).pipe(
      Effect.as(false),
      Effect.timeout(interval),
      Effect.catch((error) => Effect.succeed(error._tag === "Unauthenticated")),
      Effect.catchDefect(() => Effect.succeed(false))
    )

  const repeatUntil = (check: Effect.Effect<boolean>, pause: Duration.Duration) =>
    Effect.asVoid(Effect.repeat(Effect.delay(check, pause), { while: (is) => !is }))

  /** Checks each token once for all its listeners, with the request of the first one. */
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
    const credential = credentialOf(request)
    // Without a key, the host knows its own requests one by one.
    return isByCredential && credential !== ""
      ? Effect.scoped(
          Effect.flatMap(RcMap.get(shared, credential), (waitRefused) => waitRefused(request))
        )
      : repeatUntil(isRefused(request), revokedMax)
  }
})
