/**
 * Authentication over the service `Workspaces`: the bearer key of a request becomes its caller. The
 * two APIs refuse in their own words. The scheme may be written in either case (RFC 9110, 11.1).
 */

import type { WorkspaceStoreError } from "@verbatim/core/ports"
import {
  ApiKeys,
  type ApiKeyUnknown,
  KeyUses,
  type WorkspaceDisabled
} from "@verbatim/core/services"
import { isAllowed, type Principal, type Scope } from "@verbatim/core/workspace"
import { Cause, Effect, Layer, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import {
  Caller,
  PresetAuthentication,
  scopeOf,
  TranscriptionAuthentication
} from "./Authentication.ts"
import {
  challengeHeaders,
  makePresetError,
  makeTranscriptionError,
  unexpectedMessage
} from "./ErrorBody.ts"
import { FailureLog } from "./FailureLog.ts"
import * as KeyShare from "./KeyShare.ts"
import { retryHeaders } from "./Outage.ts"

type Response = HttpServerResponse.HttpServerResponse

/** How an API says that a key is missing, unknown, of no use here, or could not be looked up. */
interface Refusals<Refused> {
  readonly missing: Effect.Effect<Response, Refused>
  readonly unknown: Effect.Effect<Response, Refused>
  readonly disabled: Effect.Effect<Response, Refused>
  readonly beyond: (scope: string, caller: Principal) => Effect.Effect<Response, Refused>
  readonly unexpected: unknown
}

/** The credential of a request, and the operation that it is for. */
interface Secured {
  readonly credential: Redacted.Redacted
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

type Handled<E, R> = Effect.Effect<Response, E, HttpServerRequest.HttpServerRequest | R>

/** A key that has all that its kind has is told by the operation itself what it may not do. */
const mayCall = ({ kind, scopes = null }: Principal, scope: Scope | undefined): boolean =>
  scopes === null || (scope !== undefined && isAllowed({ kind, scopes }, scope))

/** Makes the middleware of an API: requests handled within it know their caller. */
const makeBearer = <Refused>(
  share: KeyShare.Share,
  { beyond, disabled, missing, unexpected, unknown }: Refusals<Refused>
) =>
  Effect.map(Effect.all([ApiKeys, KeyUses, FailureLog]), ([keys, uses, { tell }]) => {
    const fail = (error: WorkspaceStoreError) => {
      const cause = Cause.fail(error)
      return Effect.as(
        tell({ what: "A key could not be looked up", cause }),
        HttpServerResponse.jsonUnsafe(unexpected, { status: 500, headers: retryHeaders(cause) })
      )
    }
    const refuse = (
      error: ApiKeyUnknown | WorkspaceDisabled | WorkspaceStoreError
    ): Effect.Effect<Response, Refused, HttpServerRequest.HttpServerRequest> => {
      switch (error._tag) {
        case "ApiKeyUnknown":
          return unknown
        case "WorkspaceDisabled":
          return disabled
        default:
          return fail(error)
      }
    }
    const noteUse = ({ keyId }: Principal) => (keyId === undefined ? Effect.void : uses.note(keyId))
    return {
      bearer: <E, R>(
        handler: Effect.Effect<Response, E, R>,
        /** The credential is empty when the header is absent or malformed. */
        { credential, endpoint, group }: Secured
      ) =>
        Redacted.value(credential) === ""
          ? missing
          : Effect.matchEffect(keys.authenticate(credential), {
              onFailure: refuse,
              onSuccess: (caller): Handled<E | Refused, Exclude<R, Caller>> => {
                const scope = scopeOf(group, endpoint)
                if (!mayCall(caller, scope)) return beyond(scope ?? "for this", caller)
                const handled = Effect.provideService(handler, Caller, caller)
                return Effect.andThen(noteUse(caller), share(credential, handled))
              }
            })
    }
  })

/** Nobody is known yet. */
const makeError = <const Status extends 401 | 500>(status: Status, message: string) =>
  makePresetError(status, { message, userId: null })

const makeForbidden = (message: string, userId: string | null) =>
  makePresetError(403, { message, userId })

/** Refuses with the scheme that a client has to use (RFC 9110, 15.5.2), so it is a whole answer. */
const challenge = (message: string) =>
  Effect.succeed(
    HttpServerResponse.jsonUnsafe(makeError(401, message), {
      status: 401,
      headers: challengeHeaders
    })
  )

const makePresetAuthentication = (share: KeyShare.Share) =>
  Layer.effect(
    PresetAuthentication,
    makeBearer(share, {
      missing: challenge("Missing Authentication header"),
      unknown: challenge("Invalid API key"),
      disabled: Effect.fail(makeForbidden("The workspace is disabled", null)),
      beyond: (scope, { userId }) =>
        Effect.fail(makeForbidden(`The key lacks the scope ${scope}`, userId)),
      unexpected: makeError(500, unexpectedMessage)
    })
  )

const makeTranscriptionAuthentication = (share: KeyShare.Share) =>
  Layer.effect(
    TranscriptionAuthentication,
    makeBearer(share, {
      missing: Effect.fail(makeTranscriptionError(403, "Forbidden: Invalid API key format")),
      unknown: Effect.fail(makeTranscriptionError(403, "Forbidden: Invalid API key")),
      disabled: Effect.fail(makeTranscriptionError(403, "Forbidden: The workspace is disabled")),
      beyond: (scope) =>
        Effect.fail(makeTranscriptionError(403, `Forbidden: The key lacks the scope ${scope}`)),
      unexpected: { detail: unexpectedMessage }
    })
  )

/** Authentication of both APIs by the keys of workspaces. A key has one share of both. */
export const layer: Layer.Layer<
  PresetAuthentication | TranscriptionAuthentication,
  never,
  ApiKeys | FailureLog | KeyUses
> = Layer.unwrap(
  Effect.map(KeyShare.make, (share) =>
    Layer.merge(makePresetAuthentication(share), makeTranscriptionAuthentication(share))
  )
)
