/**
 * Authentication of who reads usage: a key of a workspace, which reads its own, or one of an
 * operator, which reads all.
 */
import { ApiKeys, KeyUses, OperatorKeys, RequestLimits } from "@verbatim/core/services"
import { isAllowed, type Principal } from "@verbatim/core/workspace"
import { Effect, Layer, Redacted } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { UsageAuthentication, UsageReader } from "../Authentication.ts"
import { makePresetError, type PresetError } from "../ErrorBody.ts"
import { FailureLog } from "../FailureLog.ts"
import { anonymous, makeLookupFailure } from "../KeyRefusals.ts"
import type { Share } from "../KeyShare.ts"
import { note, noted } from "../RequestNotes.ts"
import { admitted } from "../RequestRates.ts"

type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, HttpServerRequest.HttpServerRequest | R>

const mayRead = ({ kind, scopes = null }: Principal): boolean =>
  isAllowed({ kind, scopes }, "usage:read")

const forbid = (userId: string) =>
  Effect.fail(makePresetError(403, { message: "The key lacks the scope usage:read", userId }))

/** Makes the middleware; each key has a share of the server. */
export const makeUsageAuthentication = (share: Share) =>
  Layer.effect(
    UsageAuthentication,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const operators = yield* OperatorKeys
      const uses = yield* KeyUses
      const limits = yield* RequestLimits
      const fail = makeLookupFailure(yield* FailureLog, anonymous.unexpected)

      const authenticate = <E, R>(
        handler: Effect.Effect<Response, E, R>,
        { credential }: { readonly credential: Redacted.Redacted }
      ): Handled<E | PresetError<403>, Exclude<R, UsageReader>> => {
        const handleAs = (reader: UsageReader["Service"]) =>
          share(credential, Effect.provideService(handler, UsageReader, reader))

        const asCaller = (
          caller: Principal
        ): Handled<E | PresetError<403>, Exclude<R, UsageReader>> => {
          const { keyId, userId, workspaceId } = caller
          const noteUse = keyId === undefined ? Effect.void : uses.note(keyId)
          const handled: Handled<E | PresetError<403>, Exclude<R, UsageReader>> = mayRead(caller)
            ? Effect.andThen(noteUse, handleAs({ workspaceId, userId }))
            : forbid(userId)
          return noted(caller, admitted(limits.admit(caller), handled))
        }

        const asOperator = Effect.matchEffect(operators.authenticate(credential), {
          onFailure: (error): Handled<never, never> =>
            error._tag === "OperatorKeyUnknown" ? anonymous.unknown : fail(error),
          onSuccess: ({ id }) =>
            Effect.andThen(
              Effect.andThen(note({ keyId: id }), uses.noteOperator(id)),
              handleAs({ workspaceId: null, userId: null })
            )
        })

        if (Redacted.value(credential) === "") return anonymous.missing
        return Effect.matchEffect(keys.authenticate(credential), {
          onFailure: (error): Handled<E | PresetError<403>, Exclude<R, UsageReader>> => {
            switch (error._tag) {
              case "ApiKeyUnknown":
                return asOperator
              case "WorkspaceDisabled":
                return anonymous.disabled
              default:
                return fail(error)
            }
          },
          onSuccess: asCaller
        })
      }

      // Both stand in one header, so whoever is asked first knows.
      return { bearer: authenticate, operator: authenticate }
    })
  )
