/**
 * Authentication of who reads usage: a key of a workspace, which reads its own, or one of an
 * operator, which reads all.
 */
import { KeyUses, RequestLimits } from "@verbatim/core/services"
import { isAllowed, type Principal } from "@verbatim/core/workspace"
import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { UsageAuthentication, UsageReader } from "../../contract/Authentication.ts"
import { makePresetError } from "../../contract/ErrorBody.ts"
import { makeIdentify } from "../auth/Callers.ts"
import { anonymous, makeLookupFailure, makeRefusal } from "../auth/KeyRefusals.ts"
import { nameOf, type Share } from "../auth/KeyShare.ts"
import { makeOperatorLookup } from "../auth/OperatorLookup.ts"
import { handleAdmitted } from "../auth/RequestRates.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { note } from "../edge/RequestNotes.ts"

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

const disabled = forbid("The workspace is disabled", null)

/** Makes the middleware; each key has a share of the server. */
export const makeUsageAuthentication = (share: Share) =>
  Layer.effect(
    UsageAuthentication,
    Effect.gen(function* () {
      const identify = yield* makeIdentify
      const { note: noteUse } = yield* KeyUses
      const { admit } = yield* RequestLimits
      const lookUpOperator = yield* makeOperatorLookup
      const fail = makeLookupFailure(yield* FailureLog, anonymous.unexpected)

      const authenticate = <E, R>(
        handler: Effect.Effect<Response, E, R>,
        { credential }: { readonly credential: Redacted.Redacted }
      ): Handled<E, R> => {
        const handleAs = (name: string, reader: UsageReader["Service"]): Handled<E, R> =>
          share(name, Effect.provideService(handler, UsageReader, reader))

        const asCaller = (caller: Principal): Handled<E, R> => {
          const { keyId, userId, workspaceId } = caller
          const used = keyId === undefined ? Effect.void : noteUse(keyId)
          const handled: Handled<E, R> = mayRead(caller)
            ? Effect.andThen(used, handleAs(nameOf(caller), { workspaceId, userId }))
            : forbid("The key lacks the scope usage:read", userId)
          const noted = keyId === undefined ? Effect.void : note({ keyId })
          return Effect.andThen(noted, handleAdmitted(admit(caller), handled))
        }

        const asOperator = lookUpOperator(credential, {
          handle: ({ id }) => handleAs(id, { workspaceId: null, userId: null }),
          refuse: (): Handled<E, R> => anonymous.Unknown
        })

        // Whom the authenticator does not know may be an operator, with a key.
        const hasKey = Redacted.value(credential) !== ""
        const refuse = makeRefusal(
          {
            Missing: hasKey ? asOperator : anonymous.Missing,
            Unknown: hasKey ? asOperator : anonymous.Unknown,
            told: (sentence) => (hasKey ? asOperator : anonymous.told(sentence)),
            Disabled: disabled
          },
          fail
        )
        return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          Effect.matchEffect(identify({ credential, request }), {
            onFailure: refuse,
            onSuccess: asCaller
          })
        )
      }

      // Both stand in one header, so whoever is asked first knows, and answers.
      return { bearer: authenticate, operator: authenticate }
    })
  )
