/**
 * Authentication of who reads usage: a key of a workspace, which reads its own, or one of an
 * operator, which reads all.
 */
import { KeyUses, OperatorKeys, RequestLimits } from "@verbatim/core/services"
import { isAllowed, type Principal } from "@verbatim/core/workspace"
import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { UsageAuthentication, UsageReader } from "../Authentication.ts"
import { Authenticator, type Unauthenticated } from "../Authenticator.ts"
import { makePresetError } from "../ErrorBody.ts"
import { FailureLog } from "../FailureLog.ts"
import { anonymous, makeLookupFailure } from "../KeyRefusals.ts"
import { nameOf, type Share } from "../KeyShare.ts"
import { note } from "../RequestNotes.ts"
import { handleAdmitted } from "../RequestRates.ts"

type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<
  Response,
  E,
  Exclude<R, UsageReader> | HttpServerRequest.HttpServerRequest
>

const mayRead = ({ kind, scopes = null }: Principal): boolean =>
  isAllowed({ kind, scopes }, "usage:read")

/**
 * A whole answer: after a failure the key would be looked up, and counted, as that of an operator
 * once more.
 */
const forbid = (message: string, userId: string | null) =>
  Effect.succeed(
    HttpServerResponse.jsonUnsafe(makePresetError(403, { message, userId }), { status: 403 })
  )

/** Makes the middleware; each key has a share of the server. */
export const makeUsageAuthentication = (share: Share) =>
  Layer.effect(
    UsageAuthentication,
    Effect.gen(function* () {
      const authenticator = yield* Authenticator
      const operators = yield* OperatorKeys
      const uses = yield* KeyUses
      const limits = yield* RequestLimits
      const fail = makeLookupFailure(yield* FailureLog, anonymous.unexpected)

      const authenticate = <E, R>(
        handler: Effect.Effect<Response, E, R>,
        { credential }: { readonly credential: Redacted.Redacted }
      ): Handled<E, R> => {
        const handleAs = (name: string, reader: UsageReader["Service"]): Handled<E, R> =>
          share(name, Effect.provideService(handler, UsageReader, reader))

        const asCaller = (caller: Principal): Handled<E, R> => {
          const { keyId, userId, workspaceId } = caller
          const used = keyId === undefined ? Effect.void : uses.note(keyId)
          const handled: Handled<E, R> = mayRead(caller)
            ? Effect.andThen(used, handleAs(nameOf(caller), { workspaceId, userId }))
            : forbid("The key lacks the scope usage:read", userId)
          const noted = keyId === undefined ? Effect.void : note({ keyId })
          return Effect.andThen(noted, handleAdmitted(limits.admit(caller), handled))
        }

        const asOperator = Effect.matchEffect(operators.authenticate(credential), {
          onFailure: (error): Handled<never, never> =>
            error._tag === "OperatorKeyUnknown" ? anonymous.Unknown : fail(error),
          onSuccess: ({ id }): Handled<E, R> =>
            Effect.andThen(
              Effect.andThen(note({ keyId: id }), uses.noteOperator(id)),
              handleAs(id, { workspaceId: null, userId: null })
            )
        })

        const refuse = (reason: Unauthenticated["reason"]): Handled<E, R> => {
          if (reason === "Disabled") return forbid("The workspace is disabled", null)
          // What a host does not know may be the key of an operator.
          return Redacted.value(credential) === "" ? anonymous[reason] : asOperator
        }
        return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          Effect.matchEffect(authenticator.identify({ credential, request }), {
            onFailure: (error): Handled<E, R> =>
              error._tag === "Unauthenticated" ? refuse(error.reason) : fail(error),
            onSuccess: asCaller
          })
        )
      }

      // Both stand in one header, so whoever is asked first knows, and answers.
      return { bearer: authenticate, operator: authenticate }
    })
  )
