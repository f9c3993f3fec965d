/**
 * Authentication of all operations: finds out who sends a request, judges whether they may call the
 * operation, and handles it in their share of the server. Everyone else is refused in the family of
 * the operation. The scheme may be written in either case (RFC 9110, 11.1).
 */
import { KeyUses, OperatorKeys, RequestLimits, type Workspaces } from "@verbatim/core/services"
import { isAllowed, isScope, mayManageKeys, type Principal } from "@verbatim/core/workspace"
import { Cause, Context, Duration, Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import {
  type AuthenticationRule,
  Caller,
  type Callers,
  KeyManagement,
  OperatorAuthentication,
  PresetAuthentication,
  Sender,
  SpeechAuthentication,
  scopesOf,
  TranscriptionAuthentication,
  UsageAuthentication
} from "../../contract/Authentication.ts"
import { unexpectedMessage } from "../../contract/ErrorBody.ts"
import { KeyHold } from "../body/HeldBodies.ts"
import { answerIn } from "../edge/EdgeAnswer.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { retryHeaders } from "../edge/Outage.ts"
import { noteUnsafe } from "../edge/RequestNotes.ts"
import {
  Authenticator,
  type Identity,
  makeIdentify,
  operator,
  type Shown,
  Unauthenticated
} from "./Authenticator.ts"
import * as KeyShare from "./KeyShare.ts"
import { forbid, operatorsOnly, refuseStranger } from "./Refusals.ts"

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** The operation that a request is for. */
export interface Operation {
  readonly endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "method">
  readonly group: Pick<HttpApiGroup.Top, "annotations">
  /** The label that its path names. */
  readonly label: string | undefined
}

/** Handles a request whose sender may call the operation, or refuses it. */
export type Admit = <E, R>(
  asked: Operation & Shown,
  handler: Handled<E, R>
) => Handled<E, Exclude<R, Caller | Sender> | Request>

/**
 * What a key without a list of scopes may not do is answered by the operation itself. Of two
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

/** Why a caller from a workspace may not call an operation; nothing where it may. */
const judges: Readonly<
  Record<Callers, (caller: Principal, operation: Operation) => string | undefined>
> = {
  Workspace: judgeScope,
  KeyManager: judgeManagement,
  Operator: () => operatorsOnly,
  Either: judgeScope
}

/** Finds out who sends a request: an operator with a key, or the sender that the authenticator names. */
const makeFind = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const operators = yield* OperatorKeys
  const identify = yield* makeIdentify
  const missing = () => new Unauthenticated({ reason: "Missing" })

  const findOperator = (shown: Shown) =>
    Effect.map(operators.authenticate(shown.credential), ({ id }) => ({ ...operator, keyId: id }))

  /** Only an authenticator knows operators without a key. */
  const findKeyless = (shown: Shown) =>
    authenticator.identify(shown).pipe(
      Effect.mapError(missing),
      Effect.filterOrFail(({ kind }) => kind === "operator", missing)
    )

  /** A key that the authenticator does not know may be an operator's. */
  const findEither = (shown: Shown) =>
    Effect.catchTag(identify(shown), "Unauthenticated", (error) =>
      error.reason === "Disabled" || Redacted.value(shown.credential) === ""
        ? Effect.fail(error)
        : Effect.catchTag(findOperator(shown), "OperatorKeyUnknown", () =>
            Effect.fail(new Unauthenticated({ reason: "Unknown" }))
          )
    )

  return (shown: Shown, callers: Callers): ReturnType<typeof identify> => {
    if (callers === "Either") return findEither(shown)
    if (callers !== "Operator") return identify(shown)
    return Redacted.value(shown.credential) === ""
      ? findKeyless(shown)
      : Effect.catchTag(findOperator(shown), "OperatorKeyUnknown", () =>
          authenticator.identify(shown)
        )
  }
})

/** What handlers know about the sender. Those that need a `Caller` take no operators. */
const toContext = (identity: Identity): Context.Context<Caller | Sender> => {
  const reader = Context.make(Sender, identity) as Context.Context<Caller | Sender>
  return identity.kind === "operator" ? reader : Context.add(reader, Caller, identity)
}

/** Makes what admits the requests of each rule, in the shares that all of them have together. */
const makeAdmit = Effect.gen(function* () {
  const find = yield* makeFind
  const uses = yield* KeyUses
  const limits = yield* RequestLimits
  const log = yield* FailureLog
  const share = yield* KeyShare.make

  const noteUse = ({ keyId, kind }: Identity) => {
    if (keyId === undefined) return Effect.void
    return kind === "operator" ? uses.noteOperator(keyId) : uses.note(keyId)
  }

  const handle = <E, R>(identity: Identity, handler: Handled<E, R>) => {
    const handled = Effect.provideContext(handler, toContext(identity))
    return Effect.andThen(
      noteUse(identity),
      identity.isInProcess === true
        ? Effect.provideService(handled, KeyHold, {})
        : share(KeyShare.nameOf(identity), handled)
    )
  }

  /** `failure` is logged of an operation that breaks; without it, the edge answers. */
  return ({ callers, family }: AuthenticationRule, failure?: string): Admit => {
    const judge = judges[callers]
    const takesOperators = callers === "Operator" || callers === "Either"

    const fail = (what: string, cause: Cause.Cause<unknown>, userId: string | null = null) =>
      Effect.as(
        log.tell({ what, cause }),
        answerIn(family, { status: 500, message: unexpectedMessage, userId }, retryHeaders(cause))
      )

    const refuse = (error: Effect.Error<ReturnType<typeof find>>) =>
      error._tag === "Unauthenticated"
        ? Effect.succeed(refuseStranger(family, error))
        : fail("A key could not be looked up", Cause.fail(error))

    const recover = <E, R>(handler: Handled<E, R>, userId: string | null) =>
      failure === undefined
        ? handler
        : Effect.catchDefect(handler, (defect) => fail(failure, Cause.die(defect), userId))

    /** Limits how many requests of a workspace, and of its key, are handled in a second. */
    const limit = <E, R>(identity: Identity, handled: Handled<E, R>): Handled<E, R | Request> => {
      if (identity.kind === "operator" || identity.isInProcess === true) return handled
      const admission = callers === "Operator" ? Effect.void : limits.admit(identity)
      // Where nothing is limited, the admission has ended before it begins.
      if (admission === Effect.void) return handled
      return Effect.matchEffect(admission, {
        onFailure: ({ message, retryAfter }): Handled<E, R | Request> =>
          KeyShare.refuseUntil({ message, seconds: Duration.toSeconds(retryAfter) }),
        onSuccess: () => handled
      })
    }

    return ({ credential, request, ...operation }, handler) =>
      Effect.matchEffect(find({ credential, request }, callers), {
        onFailure: refuse,
        onSuccess: (identity) =>
          Effect.withFiber(({ context }) => {
            const { keyId, userId } = identity
            if (keyId !== undefined) noteUnsafe(context, { keyId })
            if (identity.kind === "operator") {
              return takesOperators
                ? handle(identity, recover(handler, userId))
                : refuse(new Unauthenticated({ reason: "Unknown" }))
            }
            const message = judge(identity, operation)
            return limit(
              identity,
              message === undefined
                ? handle(identity, recover(handler, userId))
                : Effect.succeed(forbid(family, { message, userId }))
            )
          })
      })
  }
})

/** Admits requests to the preset operations, for those with a direct route. */
export class PresetAdmission extends Context.Service<PresetAdmission, { readonly admit: Admit }>()(
  "@verbatim/http/Authentication/PresetAdmission"
) {}

const routed = Effect.all([HttpServerRequest.HttpServerRequest, HttpRouter.params])

type Called = Omit<Operation, "label"> & Pick<Shown, "credential">

/** Makes the middleware of a group. Both keys stand in one header: the first one asked answers. */
const toMiddleware = (admit: Admit) => {
  const authenticate = <E, R>(handler: Handled<E, R>, { credential, endpoint, group }: Called) =>
    Effect.flatMap(routed, ([request, { label }]) =>
      admit({ credential, endpoint, group, label, request }, handler)
    )
  return { bearer: authenticate, operator: authenticate }
}

/** Authentication of all operations that take a key. */
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
> = Layer.effectContext(
  Effect.map(makeAdmit, (makeFor) => {
    const ofPresets = makeFor(PresetAuthentication, "A preset operation failed")
    const ofKeys = makeFor(KeyManagement, "An operation on keys failed")
    const plain = (rule: AuthenticationRule) => toMiddleware(makeFor(rule))
    return Context.make(PresetAdmission, { admit: ofPresets }).pipe(
      Context.add(PresetAuthentication, toMiddleware(ofPresets)),
      Context.add(KeyManagement, toMiddleware(ofKeys)),
      Context.add(OperatorAuthentication, plain(OperatorAuthentication)),
      Context.add(SpeechAuthentication, plain(SpeechAuthentication)),
      Context.add(TranscriptionAuthentication, plain(TranscriptionAuthentication)),
      Context.add(UsageAuthentication, plain(UsageAuthentication))
    )
  })
)
