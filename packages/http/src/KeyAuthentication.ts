/**
 * Authentication over the service `Authenticator`: whom it names is the caller of a request. The
 * APIs refuse in their own words. The scheme may be written in either case (RFC 9110, 11.1).
 */

import { KeyUses, type OperatorKeys, RequestLimits, type Workspaces } from "@verbatim/core/services"
import { isAllowed, isScope, mayManageKeys, type Principal } from "@verbatim/core/workspace"
import { Effect, Layer, type Redacted } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import {
  Caller,
  KeyManagement,
  type OperatorAuthentication,
  PresetAuthentication,
  scopesOf,
  TranscriptionAuthentication,
  type UsageAuthentication
} from "./Authentication.ts"
import type { Authenticator, Unauthenticated } from "./Authenticator.ts"
import { makeIdentify } from "./Callers.ts"
import { makePresetError, makeTranscriptionError, unexpectedMessage } from "./ErrorBody.ts"
import { FailureLog } from "./FailureLog.ts"
import { anonymous, makeLookupFailure, makeRefusal } from "./KeyRefusals.ts"
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
  /** The label that its path names. */
  readonly label: string | undefined
}

/** How an API says that a key is missing, unknown, of no use here, or could not be looked up. */
interface Refusals<Refused>
  extends Readonly<Record<Unauthenticated["reason"], Effect.Effect<Response, Refused>>> {
  /** In the words of whoever knows the callers. */
  readonly told: (sentence: string) => Effect.Effect<Response, Refused>
  readonly unexpected: unknown
  /** Why the key may not do that; nothing where it may. */
  readonly judge: (caller: Principal, operation: Operation) => string | undefined
  readonly forbidden: (message: string, caller: Principal) => Effect.Effect<Response, Refused>
}

/** What is known of a request where a key is judged. */
type Routed = HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext

type Handled<E, R> = Effect.Effect<Response, E, Routed | R>

type Called = Omit<Operation, "label">

const routed = Effect.all([HttpServerRequest.HttpServerRequest, HttpRouter.params])

/** Makes the middleware of an API: requests handled within it know their caller. */
const makeBearer = <Refused>(
  share: KeyShare.Share,
  { forbidden, judge, unexpected, ...refusals }: Refusals<Refused>
) =>
  Effect.map(Effect.all([makeIdentify, KeyUses, FailureLog, RequestLimits]), (services) => {
    const [identify, uses, log, limits] = services
    const refuse = makeRefusal(refusals, makeLookupFailure(log, unexpected))
    const noteKey = ({ keyId }: Principal) => (keyId === undefined ? Effect.void : note({ keyId }))
    const noteUse = ({ keyId }: Principal) => (keyId === undefined ? Effect.void : uses.note(keyId))
    return {
      bearer: <E, R>(
        handler: Effect.Effect<Response, E, R>,
        /** The credential is empty when the header is absent or malformed. */
        { credential, ...called }: Called & { readonly credential: Redacted.Redacted }
      ) =>
        Effect.flatMap(routed, ([request, { label }]) =>
          Effect.matchEffect(identify({ credential, request }), {
            onFailure: refuse,
            onSuccess: (caller): Handled<E | Refused, Exclude<R, Caller>> => {
              const fault = judge(caller, { ...called, label })
              const handled = Effect.provideService(handler, Caller, caller)
              const answered: Handled<E | Refused, Exclude<R, Caller>> = fault === undefined
                ? Effect.andThen(noteUse(caller), share(KeyShare.nameOf(caller), handled))
                : forbidden(fault, caller)
              return Effect.andThen(noteKey(caller), handleAdmitted(limits.admit(caller), answered))
            }
          })
        )
    }
  })

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
      Missing: forbid("Invalid API key format"),
      Unknown: forbid("Invalid API key"),
      told: forbid,
      Disabled: forbid("The workspace is disabled"),
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
  Authenticator | FailureLog | KeyUses | OperatorKeys | RequestLimits | Workspaces
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
