/**
 * Authentication over the service `OperatorKeys`: the bearer key of a request is that of an
 * operator. Who shows the key of a workspace is told so.
 */
import { ApiKeys } from "@verbatim/core/services"
import { Effect, Layer, Redacted } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Operator, OperatorAuthentication } from "./Authentication.ts"
import { makePresetError, type PresetError } from "./ErrorBody.ts"
import { FailureLog } from "./FailureLog.ts"
import { anonymous, makeKeyRefusal, makeLookupFailure } from "./KeyRefusals.ts"
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
      const keys = yield* ApiKeys
      const lookUp = yield* makeOperatorLookup
      const refuseKey = makeKeyRefusal({
        unknown: anonymous.unknown,
        disabled: forbid(null),
        fail: makeLookupFailure(yield* FailureLog, anonymous.unexpected)
      })

      /** The key is no operator's: perhaps it is one of a workspace. */
      const refuse = (credential: Redacted.Redacted): Handled<PresetError<403>, never> =>
        Effect.matchEffect(keys.authenticate(credential), {
          onFailure: refuseKey,
          onSuccess: ({ userId }) => forbid(userId)
        })

      return {
        operator: <E, R>(
          handler: Effect.Effect<Response, E, R>,
          { credential }: { readonly credential: Redacted.Redacted }
        ): Handled<E | PresetError<403>, Exclude<R, Operator>> =>
          Redacted.value(credential) === ""
            ? anonymous.missing
            : lookUp(credential, {
                handle: (key): Handled<E | PresetError<403>, Exclude<R, Operator>> =>
                  share(credential, Effect.provideService(handler, Operator, key)),
                refuse
              })
      }
    })
  )
