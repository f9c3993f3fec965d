/**
 * Authentication over the service `Workspaces`: the bearer key of a request becomes its caller. The
 * two APIs refuse in their own words. The scheme may be written in either case (RFC 9110, 11.1).
 */

import type { WorkspaceStoreError } from "@verbatim/core/ports"
import { type ApiKeyUnknown, Workspaces } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Cause, Effect, Layer, Redacted } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Caller, PresetAuthentication, TranscriptionAuthentication } from "./Authentication.ts"
import { makePresetError, makeTranscriptionError, unexpectedMessage } from "./ErrorBody.ts"
import * as KeyShare from "./KeyShare.ts"

/** How an API says that a key is missing, is unknown, or could not be looked up. */
interface Refusals<Refused, Failed> {
  readonly missing: Refused
  readonly unknown: Refused
  readonly unexpected: Failed
}

/** Finds the caller of a credential, which is empty when the header is absent or malformed. */
const identify =
  <Refused, Failed>(workspaces: Workspaces["Service"], refusals: Refusals<Refused, Failed>) =>
  (credential: Redacted.Redacted): Effect.Effect<Principal, Refused | Failed> => {
    if (Redacted.value(credential) === "") return Effect.fail(refusals.missing)
    const refuse = (
      error: ApiKeyUnknown | WorkspaceStoreError
    ): Effect.Effect<never, Refused | Failed> =>
      error._tag === "ApiKeyUnknown"
        ? Effect.fail(refusals.unknown)
        : Effect.andThen(
            Effect.logError("A key could not be looked up", Cause.fail(error)),
            Effect.fail(refusals.unexpected)
          )
    return Effect.catch(workspaces.authenticate(credential), refuse)
  }

/** Makes the two middlewares: requests handled within them know their caller. */
const makeBearer = <Refused, Failed>(share: KeyShare.Share, refusals: Refusals<Refused, Failed>) =>
  Effect.gen(function* () {
    const findCaller = identify(yield* Workspaces, refusals)
    return {
      bearer: <E, R>(
        handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
        { credential }: { readonly credential: Redacted.Redacted }
      ) =>
        Effect.flatMap(findCaller(credential), (caller) =>
          share(credential, Effect.provideService(handler, Caller, caller))
        )
    }
  })

/** Nobody is known yet. */
const makeError = <const Status extends 401 | 500>(status: Status, message: string) =>
  makePresetError(status, { message, userId: null })

const makePresetAuthentication = (share: KeyShare.Share) =>
  Layer.effect(
    PresetAuthentication,
    makeBearer(share, {
      missing: makeError(401, "Missing Authentication header"),
      unknown: makeError(401, "Invalid API key"),
      unexpected: makeError(500, unexpectedMessage)
    })
  )

const makeTranscriptionAuthentication = (share: KeyShare.Share) =>
  Layer.effect(
    TranscriptionAuthentication,
    makeBearer(share, {
      missing: makeTranscriptionError(403, "Forbidden: Invalid API key format"),
      unknown: makeTranscriptionError(403, "Forbidden: Invalid API key"),
      unexpected: makeTranscriptionError(500, unexpectedMessage)
    })
  )

/** Authentication of both APIs by the keys of workspaces. A key has one share of both. */
export const layer: Layer.Layer<
  PresetAuthentication | TranscriptionAuthentication,
  never,
  Workspaces
> = Layer.unwrap(
  Effect.map(KeyShare.make, (share) =>
    Layer.merge(makePresetAuthentication(share), makeTranscriptionAuthentication(share))
  )
)
