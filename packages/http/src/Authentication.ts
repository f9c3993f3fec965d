/**
 * Who is asking: the bearer key of a request becomes its caller. The two APIs refuse in their own
 * words. The name of the scheme may be written in either case (RFC 9110, 11.1).
 */

import type { Principal } from "@verbatim/core/domain/workspace/Principal"
import type { WorkspaceStoreError } from "@verbatim/core/ports/WorkspaceStore"
import { type ApiKeyUnknown, Workspaces } from "@verbatim/core/services/Workspaces"
import { Cause, Context, Effect, Layer, Redacted } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import {
  PresetErrors,
  presetError,
  TranscriptionErrors,
  transcriptionError,
  unexpectedMessage
} from "./ErrorBody.ts"

/** The bearer of the key that a request was sent with. */
export class Caller extends Context.Service<Caller, Principal>()(
  "@verbatim/http/Authentication/Caller"
) {}

const bearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({ description: "`Authorization: Bearer <API key>`" })
  )
)

/** How an API says that a key is not there, is not known, or could not be looked up. */
interface Refusals<Refused, Failed> {
  readonly missing: Refused
  readonly unknown: Refused
  readonly unexpected: Failed
}

/** The caller of a credential; the credential is empty when the header is absent or malformed. */
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

const ofPreset = <const Status extends 401 | 500>(status: Status, message: string) =>
  presetError(status, { message, userId: null })

/** Authentication of the preset operations. */
export class PresetAuthentication extends HttpApiMiddleware.Service<
  PresetAuthentication,
  { provides: Caller }
>()("@verbatim/http/Authentication/PresetAuthentication", {
  security: { bearer },
  error: [PresetErrors[401], PresetErrors[500]]
}) {
  static readonly layer: Layer.Layer<PresetAuthentication, never, Workspaces> = Layer.effect(
    PresetAuthentication,
    Effect.map(Workspaces, (workspaces) => {
      const callerOf = identify(workspaces, {
        missing: ofPreset(401, "Missing Authentication header"),
        unknown: ofPreset(401, "Invalid API key"),
        unexpected: ofPreset(500, unexpectedMessage)
      })
      return {
        bearer: (handler, { credential }) =>
          Effect.flatMap(callerOf(credential), (caller) =>
            Effect.provideService(handler, Caller, caller)
          )
      }
    })
  )
}

/** Authentication of the transcription operations. */
export class TranscriptionAuthentication extends HttpApiMiddleware.Service<
  TranscriptionAuthentication,
  { provides: Caller }
>()("@verbatim/http/Authentication/TranscriptionAuthentication", {
  security: { bearer },
  error: [TranscriptionErrors[403], TranscriptionErrors[500]]
}) {
  static readonly layer: Layer.Layer<TranscriptionAuthentication, never, Workspaces> = Layer.effect(
    TranscriptionAuthentication,
    Effect.map(Workspaces, (workspaces) => {
      const callerOf = identify(workspaces, {
        missing: transcriptionError(403, "Forbidden: Invalid API key format"),
        unknown: transcriptionError(403, "Forbidden: Invalid API key"),
        unexpected: transcriptionError(500, unexpectedMessage)
      })
      return {
        bearer: (handler, { credential }) =>
          Effect.flatMap(callerOf(credential), (caller) =>
            Effect.provideService(handler, Caller, caller)
          )
      }
    })
  )
}
