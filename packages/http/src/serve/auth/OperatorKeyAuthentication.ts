/**
 * Authentication over the service `OperatorKeys`: the bearer key of a request is that of an
 * operator. Who shows the key of a workspace is told so.
 */
import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Operator, OperatorAuthentication } from "../../contract/Authentication.ts"
import { makePresetError, type PresetError } from "../../contract/ErrorBody.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { Authenticator } from "./Authenticator.ts"
import { anonymous, makeLookupFailure, makeRefusal } from "./KeyRefusals.ts"
import type { Share } from "./KeyShare.ts"
import { makeOperatorLookup } from "./OperatorLookup.ts"

type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, HttpServerRequest.HttpServerRequest | R>

const forbid = (userId: string | null) =>
  Effect.fail(
    makePresetError(403, { message: "Only operator keys can perform this operation", userId })
  )

/** Makes the middleware; each key has a share of the server, as those of workspaces have. */
export const makeOperatorAuthentication = (share: Share) =>
  Layer.effect(
    OperatorAuthentication,
    Effect.gen(function* () {
      const authenticator = yield* Authenticator
      const lookUp = yield* makeOperatorLookup
      const refuseCaller = makeRefusal(
        { ...anonymous, Disabled: forbid(null), told: () => anonymous.Unknown },
        makeLookupFailure(yield* FailureLog, anonymous.unexpected)
      )

      /** The key is no operator's: perhaps somebody of a workspace sent it. */
      const refuse = (credential: Redacted.Redacted): Handled<PresetError<403>, never> =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          Effect.matchEffect(authenticator.identify({ credential, request }), {
            onFailure: refuseCaller,
            onSuccess: ({ userId }) => forbid(userId)
          })
        )

      return {
        operator: <E, R>(
          handler: Effect.Effect<Response, E, R>,
          { credential }: { readonly credential: Redacted.Redacted }
        ): Handled<E | PresetError<403>, Exclude<R, Operator>> =>
          Redacted.value(credential) === ""
            ? anonymous.Missing
            : lookUp(credential, {
                handle: (key): Handled<E | PresetError<403>, Exclude<R, Operator>> =>
                  share(key.id, Effect.provideService(handler, Operator, key)),
                refuse
              })
      }
    })
  )
