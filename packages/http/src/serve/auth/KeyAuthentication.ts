/**
 * Authentication over the service `Authenticator`: whom it names is the caller of a request. The
 * APIs refuse in their own words. The scheme may be written in either case (RFC 9110, 11.1).
 */

import type { KeyUses, OperatorKeys, RequestLimits, Workspaces } from "@verbatim/core/services"
import { isAllowed, isScope, mayManageKeys, type Principal } from "@verbatim/core/workspace"
import { Context, Effect, Layer, type Redacted } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import {
  Caller,
  KeyManagement,
  type OperatorAuthentication,
  PresetAuthentication,
  SpeechAuthentication,
  scopesOf,
  TranscriptionAuthentication,
  type UsageAuthentication
} from "../../contract/Authentication.ts"
import {
  makePresetError,
  makeTranscriptionError,
  type PresetError,
  unexpectedMessage
} from "../../contract/ErrorBody.ts"
import { toSpeechError } from "../../contract/speech/SpeechErrors.ts"
import type { FailureLog } from "../edge/FailureLog.ts"
import { refuseKey } from "../speech/SpeechRefusals.ts"
import { makeUsageAuthentication } from "../usage/UsageKeys.ts"
import { type Admit, makeAdmit, type Operation, type Refusals } from "./Admission.ts"
import type { Authenticator } from "./Authenticator.ts"
import { anonymous } from "./KeyRefusals.ts"
import * as KeyShare from "./KeyShare.ts"
import { makeOperatorAuthentication } from "./OperatorKeyAuthentication.ts"

type Response = HttpServerResponse.HttpServerResponse

type Called = Omit<Operation, "label">

const routed = Effect.all([HttpServerRequest.HttpServerRequest, HttpRouter.params])

/** Makes the middleware of an API: requests handled within it know their caller. */
const toBearer = <Refused>(admit: Admit<Refused>) => ({
  bearer: <E, R>(
    handler: Effect.Effect<Response, E, R>,
    { credential, ...called }: Called & { readonly credential: Redacted.Redacted }
  ) =>
    Effect.flatMap(routed, ([request, { label }]) =>
      admit({ credential, request, label, ...called }, (caller) =>
        Effect.provideService(handler, Caller, caller)
      )
    )
})

const makeBearer = <Refused>(share: KeyShare.Share, refusals: Refusals<Refused>) =>
  Effect.map(makeAdmit(share, refusals), toBearer)

/**
 * A key that has all that its kind has is told by the operation itself what it may not do. Of two
 * scopes, the one is named that will do in every case: that of the label, protected or not.
 */
const judgeScope = (
  { kind, scopes = null }: Principal,
  { endpoint, group, label }: Operation
): string | undefined => {
  if (scopes === null) return undefined
  const taken = scopesOf(group, endpoint, label).filter(isScope)
  return taken.some((scope) => isAllowed({ kind, scopes }, scope))
    ? undefined
    : `The key lacks the scope ${taken.at(-1) ?? "for this"}`
}

const judgeManagement = ({ kind, scopes = null }: Principal): string | undefined => {
  if (mayManageKeys({ kind, scopes })) return undefined
  return kind === "management"
    ? "A key with a list of scopes cannot manage keys"
    : "Only management keys can perform this operation"
}

/** Refuses in the form of presets. */
const forbidden = (message: string, { userId }: Principal) =>
  Effect.fail(makePresetError(403, { message, userId }))

/** What admits requests to the preset operations, for those with a direct route. */
export class PresetAdmission extends Context.Service<
  PresetAdmission,
  { readonly admit: Admit<PresetError<403>> }
>()("@verbatim/http/KeyAuthentication/PresetAdmission") {}

const makePresetAuthentication = (share: KeyShare.Share) =>
  Layer.effectContext(
    Effect.map(makeAdmit(share, { ...anonymous, judge: judgeScope, forbidden }), (admit) =>
      Context.make(PresetAdmission, { admit }).pipe(
        Context.add(PresetAuthentication, toBearer(admit))
      )
    )
  )

const makeKeyManagement = (share: KeyShare.Share) =>
  Layer.effect(
    KeyManagement,
    makeBearer(share, { ...anonymous, judge: judgeManagement, forbidden })
  )

/** Refuses in the form of transcriptions. */
const forbid = (message: string) =>
  Effect.fail(makeTranscriptionError(403, `Forbidden: ${message}`))

const makeTranscriptionAuthentication = (share: KeyShare.Share) =>
  Layer.effect(
    TranscriptionAuthentication,
    makeBearer(share, {
      Missing: forbid("Invalid API key format"),
      Unknown: forbid("Invalid API key"),
      told: forbid,
      Disabled: forbid("The workspace is disabled"),
      unexpected: { detail: unexpectedMessage },
      judge: judgeScope,
      forbidden: forbid
    })
  )

const makeSpeechAuthentication = (share: KeyShare.Share) =>
  Layer.effect(
    SpeechAuthentication,
    makeBearer(share, {
      Missing: refuseKey(401, "Missing Authentication header"),
      Unknown: refuseKey(401, "Invalid API key"),
      told: (sentence) => refuseKey(401, sentence),
      Disabled: refuseKey(403, "The workspace is disabled"),
      unexpected: toSpeechError(500, { message: unexpectedMessage }),
      judge: judgeScope,
      forbidden: (message) => refuseKey(403, message)
    })
  )

/** Authentication of all operations that take a key. A key has one share of them together. */
export const layer: Layer.Layer<
  | KeyManagement
  | OperatorAuthentication
  | PresetAdmission
  | PresetAuthentication
  | SpeechAuthentication
  | TranscriptionAuthentication
  | UsageAuthentication,
  never,
  Authenticator | FailureLog | KeyUses | OperatorKeys | RequestLimits | Workspaces
> = Layer.unwrap(
  Effect.map(KeyShare.make, (share) =>
    Layer.mergeAll(
      makeKeyManagement(share),
      makeOperatorAuthentication(share),
      makePresetAuthentication(share),
      makeSpeechAuthentication(share),
      makeTranscriptionAuthentication(share),
      makeUsageAuthentication(share)
    )
  )
)
