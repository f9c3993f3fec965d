/**
 * Authentication over the service `Workspaces`: the bearer key of a request becomes its caller. The
 * two APIs refuse in their own words. The scheme may be written in either case (RFC 9110, 11.1).
 */

import type { WorkspaceStoreError } from "@verbatim/core/ports"
import { type ApiKeyUnknown, Workspaces } from "@verbatim/core/services"
import { Cause, Effect, Layer, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Caller, PresetAuthentication, TranscriptionAuthentication } from "./Authentication.ts"
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

/** How an API says that a key is missing, is unknown, or could not be looked up. */
interface Refusals<Refused> {
  readonly missing: Effect.Effect<Response, Refused>
  readonly unknown: Effect.Effect<Response, Refused>
  readonly unexpected: unknown
}

/** Makes the middleware of an API: requests handled within it know their caller. */
const makeBearer = <Refused>(
  share: KeyShare.Share,
  { missing, unexpected, unknown }: Refusals<Refused>
) =>
  Effect.map(Effect.all([Workspaces, FailureLog]), ([workspaces, { tell }]) => {
    const fail = (error: WorkspaceStoreError) => {
      const cause = Cause.fail(error)
      return Effect.as(
        tell({ what: "A key could not be looked up", cause }),
        HttpServerResponse.jsonUnsafe(unexpected, { status: 500, headers: retryHeaders(cause) })
      )
    }
    const refuse = (
      error: ApiKeyUnknown | WorkspaceStoreError
    ): Effect.Effect<Response, Refused, HttpServerRequest.HttpServerRequest> =>
      error._tag === "ApiKeyUnknown" ? unknown : fail(error)
    return {
      bearer: <E, R>(
        handler: Effect.Effect<Response, E, R>,
        /** The credential is empty when the header is absent or malformed. */
        { credential }: { readonly credential: Redacted.Redacted }
      ) =>
        Redacted.value(credential) === ""
          ? missing
          : Effect.matchEffect(workspaces.authenticate(credential), {
              onFailure: refuse,
              onSuccess: (caller) =>
                share(credential, Effect.provideService(handler, Caller, caller))
            })
    }
  })

/** Nobody is known yet. */
const makeError = <const Status extends 401 | 500>(status: Status, message: string) =>
  makePresetError(status, { message, userId: null })

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
      unexpected: makeError(500, unexpectedMessage)
    })
  )

const makeTranscriptionAuthentication = (share: KeyShare.Share) =>
  Layer.effect(
    TranscriptionAuthentication,
    makeBearer(share, {
      missing: Effect.fail(makeTranscriptionError(403, "Forbidden: Invalid API key format")),
      unknown: Effect.fail(makeTranscriptionError(403, "Forbidden: Invalid API key")),
      unexpected: { detail: unexpectedMessage }
    })
  )

/** Authentication of both APIs by the keys of workspaces. A key has one share of both. */
export const layer: Layer.Layer<
  PresetAuthentication | TranscriptionAuthentication,
  never,
  FailureLog | Workspaces
> = Layer.unwrap(
  Effect.map(KeyShare.make, (share) =>
    Layer.merge(makePresetAuthentication(share), makeTranscriptionAuthentication(share))
  )
)
