/**
 * Authentication over the service `ApiKeys`: the bearer key of a request becomes its caller. The
 * APIs refuse in their own words. The scheme may be written in either case (RFC 9110, 11.1).
 */

import { ApiKeys, KeyUses, type OperatorKeys, RequestLimits } from "@verbatim/core/services"
import { isAllowed, mayManageKeys, type Principal } from "@verbatim/core/workspace"
import { Effect, Layer, Redacted } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import {
  Caller,
  KeyManagement,
  type OperatorAuthentication,
  PresetAuthentication,
  scopeOf,
  TranscriptionAuthentication,
  type UsageAuthentication
} from "./Authentication.ts"
import { makePresetError, makeTranscriptionError, unexpectedMessage } from "./ErrorBody.ts"
import { FailureLog } from "./FailureLog.ts"
import { anonymous, makeKeyRefusal, makeLookupFailure } from "./KeyRefusals.ts"
import * as KeyShare from "./KeyShare.ts"
import { makeOperatorAuthentication } from "./OperatorKeyAuthentication.ts"
import { note } from "./RequestNotes.ts"
import { handleAdmitted } from "./RequestRates.ts"
import { makeUsageAuthentication } from "./usage/UsageKeys.ts"

type Response = HttpServerResponse.HttpServerResponse

/** The operation that a request is for. */
interface Operation {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

/** How an API says that a key is missing, unknown, of no use here, or could not be looked up. */
interface Refusals<Refused> {
  readonly missing: Effect.Effect<Response, Refused>
  readonly unknown: Effect.Effect<Response, Refused>
  readonly disabled: Effect.Effect<Response, Refused>
  readonly unexpected: unknown
  /** Why the key may not do that; nothing where it may. */
  readonly judge: (caller: Principal, operation: Operation) => string | undefined
  readonly forbidden: (message: string, caller: Principal) => Effect.Effect<Response, Refused>
}

type Handled<E, R> = Effect.Effect<Response, E, HttpServerRequest.HttpServerRequest | R>

/** Makes the middleware of an API: requests handled within it know their caller. */
const makeBearer = <Refused>(
  share: KeyShare.Share,
  { disabled, forbidden, judge, missing, unexpected, unknown }: Refusals<Refused>
) =>
  Effect.map(Effect.all([ApiKeys, KeyUses, FailureLog, RequestLimits]), (services) => {
    const [keys, uses, log, limits] = services
    const fail = makeLookupFailure(log, unexpected)
    const refuse = makeKeyRefusal({ unknown, disabled, fail })
    const noteKey = ({ keyId }: Principal) => (keyId === undefined ? Effect.void : note({ keyId }))
    const noteUse = ({ keyId }: Principal) => (keyId === undefined ? Effect.void : uses.note(keyId))
    return {
      bearer: <E, R>(
        handler: Effect.Effect<Response, E, R>,
        /** The credential is empty when the header is absent or malformed. */
        { credential, ...operation }: Operation & { readonly credential: Redacted.Redacted }
      ) =>
        Redacted.value(credential) === ""
          ? missing
          : Effect.matchEffect(keys.authenticate(credential), {
              onFailure: refuse,
              onSuccess: (caller): Handled<E | Refused, Exclude<R, Caller>> => {
                const fault = judge(caller, operation)
                const handled = Effect.provideService(handler, Caller, caller)
                const answered: Handled<E | Refused, Exclude<R, Caller>> = fault === undefined
                  ? Effect.andThen(noteUse(caller), share(credential, handled))
                  : forbidden(fault, caller)
                return Effect.andThen(
                  noteKey(caller),
                  handleAdmitted(limits.admit(caller), answered)
                )
              }
            })
    }
  })

/** A key that has all that its kind has is told by the operation itself what it may not do. */
const judgeScope = (
  { kind, scopes = null }: Principal,
  { endpoint, group }: Operation
): string | undefined => {
  if (scopes === null) return undefined
  const scope = scopeOf(group, endpoint)
  return scope !== undefined && isAllowed({ kind, scopes }, scope)
    ? undefined
    : `The key lacks the scope ${scope ?? "for this"}`
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

const makePresetAuthentication = (share: KeyShare.Share) =>
  Layer.effect(
    PresetAuthentication,
    makeBearer(share, { ...anonymous, judge: judgeScope, forbidden })
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
      missing: forbid("Invalid API key format"),
      unknown: forbid("Invalid API key"),
      disabled: forbid("The workspace is disabled"),
      unexpected: { detail: unexpectedMessage },
      judge: judgeScope,
      forbidden: forbid
    })
  )

/** Authentication of all operations that take a key. A key has one share of them together. */
export const layer: Layer.Layer<
  | KeyManagement
  | OperatorAuthentication
  | PresetAuthentication
  | TranscriptionAuthentication
  | UsageAuthentication,
  never,
  ApiKeys | FailureLog | KeyUses | OperatorKeys | RequestLimits
> = Layer.unwrap(
  Effect.map(KeyShare.make, (share) =>
    Layer.mergeAll(
      makeKeyManagement(share),
      makeOperatorAuthentication(share),
      makePresetAuthentication(share),
      makeTranscriptionAuthentication(share),
      makeUsageAuthentication(share)
    )
  )
)
