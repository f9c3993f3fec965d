/**
 * Authentication over the service `OperatorKeys`: the bearer key of a request is that of an
 * operator. Who shows the key of a workspace is told so.
 */
import { ApiKeys, KeyUses, OperatorKeys } from "@verbatim/core/services"
import { Effect, Layer, Redacted } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Operator, OperatorAuthentication } from "./Authentication.ts"
import { makePresetError, type PresetError } from "./ErrorBody.ts"
import { FailureLog } from "./FailureLog.ts"
import { anonymous, makeLookupFailure } from "./KeyRefusals.ts"
import type { Share } from "./KeyShare.ts"
import { note } from "./RequestNotes.ts"

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
      const operators = yield* OperatorKeys
      const keys = yield* ApiKeys
      const uses = yield* KeyUses
      const fail = makeLookupFailure(yield* FailureLog, anonymous.unexpected)

      /** The key is no operator's: perhaps it is one of a workspace. */
      const refuse = (credential: Redacted.Redacted): Handled<PresetError<403>, never> =>
        Effect.matchEffect(keys.authenticate(credential), {
          onFailure: (error): Handled<PresetError<403>, never> => {
            switch (error._tag) {
              case "ApiKeyUnknown":
                return anonymous.Unknown
              case "WorkspaceDisabled":
                return forbid(null)
              default:
                return fail(error)
            }
          },
          onSuccess: ({ userId }) => forbid(userId)
        })

      return {
        operator: <E, R>(
          handler: Effect.Effect<Response, E, R>,
          { credential }: { readonly credential: Redacted.Redacted }
        ) =>
          Redacted.value(credential) === ""
            ? anonymous.Missing
            : Effect.matchEffect(operators.authenticate(credential), {
                onFailure: (error) =>
                  error._tag === "OperatorKeyUnknown" ? refuse(credential) : fail(error),
                onSuccess: (key): Handled<E, Exclude<R, Operator>> => {
                  const handled = Effect.provideService(handler, Operator, key)
                  return Effect.andThen(
                    Effect.andThen(note({ keyId: key.id }), uses.noteOperator(key.id)),
                    share(key.id, handled)
                  )
                }
              })
      }
    })
  )
