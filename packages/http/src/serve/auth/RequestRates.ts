/**
 * What a caller is told who sends more requests in a second than the workspace or the key may.
 */
import type { TooManyRequests } from "@verbatim/core/services"
import { Duration, Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { refuseUntil } from "./KeyShare.ts"

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Handles a request that is let in; nothing is done of one that is not. */
export const handleAdmitted = <E, R>(
  admission: Effect.Effect<void, TooManyRequests>,
  handled: Handled<E, R>
): Handled<E, HttpServerRequest.HttpServerRequest | R> =>
  // Where nothing is limited, the admission is over before it begins.
  admission === Effect.void
    ? handled
    : Effect.matchEffect(admission, {
        onFailure: ({ retryAfter }): Handled<never, HttpServerRequest.HttpServerRequest> =>
          refuseUntil({
            message: "Too many requests in a second",
            seconds: Duration.toSeconds(retryAfter)
          }),
        onSuccess: (): Handled<E, R> => handled
      })
