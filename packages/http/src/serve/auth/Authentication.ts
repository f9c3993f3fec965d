/**
 * Authentication of all operations: finds out who sends a request, by keys or in the way of a host,
 * judges whether they may call the operation, and handles it in their share of the server. Everyone
 * else is refused in the family of the operation. The scheme may be written in either case (RFC
 * 9110, 11.1).
 */

import type { WorkspaceStoreError } from "@verbatim/core/ports"
import {
  ApiKeys,
  LastUsedTracker,
  OperatorKeys,
  RequestLimits,
  type TooManyRequests,
  Workspaces
} from "@verbatim/core/services"
import {
  type ApiKeyId,
  isAllowed,
  isScope,
  limitsOf,
  mayManageKeys,
  type Principal
} from "@verbatim/core/workspace"
import { Cause, Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import {
  type AuthenticationRule,
  Caller,
  type Callers,
  type Family,
  KeyManagement,
  OperatorAuthentication,
  PresetAuthentication,
  Sender,
  SpeechAuthentication,
  scopesOf,
  TranscriptionAuthentication,
  UsageAuthentication
} from "../../contract/Authentication.ts"
import { challengeHeaders, unexpectedMessage } from "../../contract/Errors.ts"
import { KeyPartition } from "../body/BodyBudget.ts"
import { answerIn } from "../edge/ErrorAnswer.ts"
import { FailureLog, retryHeaders } from "../edge/FailureLog.ts"
import { noteUnsafe } from "../edge/RequestLogging.ts"
import * as KeyShare from "./KeyShare.ts"

/** The sender of the request is unknown, or may send none. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  /** The request names no sender, an unknown one, or one whose workspace takes no requests. */
  reason: Schema.Literals(["Missing", "Unknown", "Disabled"]),
  /** Answered in place of the sentence about keys: a host has sessions, say. */
  sentence: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    return this.sentence ?? sentences[this.reason]
  }
}

const sentences = {
  Missing: "The request does not say who sends it",
  Unknown: "The request comes from nobody who is known",
  Disabled: "The workspace is disabled"
} as const

/** The sender cannot be identified now: what knows the senders cannot be reached. */
export class AuthenticatorError extends Schema.TaggedError<AuthenticatorError>()(
  "AuthenticatorError",
  { cause: Schema.Defect() }
) {
  override readonly message = "Nobody can tell now who sends the request"
}

/** What a request shows. */
export interface Credentials {
  readonly request: HttpServerRequest.HttpServerRequest
  /** The bearer token; empty where none was sent. */
  readonly credential: Redacted.Redacted
  /** Who may call the operation: a host that is both asks as the one that may. */
  readonly callers?: Callers
}

/** An operator, who is a user of no workspace. */
export interface Operator {
  readonly kind: "operator"
  readonly workspaceId: null
  readonly userId: null
  readonly keyId?: ApiKeyId
}

/** The sender of a request: a caller from a workspace, or an operator. */
export type Identity = (Operator | Principal) & {
  /** Whether the host itself sends the request: it is not limited, and has no share of a key. */
  readonly isInProcess?: boolean
}

/** An operator without a key. */
export const operator: Operator = { kind: "operator", workspaceId: null, userId: null }

type Failure = AuthenticatorError | Unauthenticated | WorkspaceStoreError

export class Authenticator extends Context.Service<
  Authenticator,
  {
    /**
     * Who sends a request. Called once for each request; operator keys are looked up for every
     * authenticator. Where the limits of the workspace are left out, it is looked up, and refused
     * unless it is there and active.
     */
    readonly identify: (shown: Credentials) => Effect.Effect<Identity, Failure>
    /**
     * Whether the credential alone tells. Those who listen or wait for long are identified again
     * now and then: together where they show the same one, else one by one.
     */
    readonly isByCredential?: boolean
  }
>()("@verbatim/http/Authenticator") {
  /** The keys that were issued: `Authorization: Bearer <key>`. */
  static readonly keys: Layer.Layer<Authenticator, never, ApiKeys> = Layer.effect(
    Authenticator,
    Effect.map(ApiKeys, (keys) => ({
      isByCredential: true,
      identify: ({ credential }) =>
        Redacted.value(credential) === ""
          ? Effect.fail(new Unauthenticated({ reason: "Missing" }))
          : Effect.catchTags(keys.authenticate(credential), {
              ApiKeyUnknown: () => Effect.fail(new Unauthenticated({ reason: "Unknown" })),
              WorkspaceDisabled: () => Effect.fail(new Unauthenticated({ reason: "Disabled" }))
            })
    }))
  )
}

/**
 * Makes `identify` with the workspace of the caller: a host knows its users, and need not know what
 * became of a workspace. The look-up of a key has read it already.
 */
export const makeIdentify: Effect.Effect<
  Authenticator["Service"]["identify"],
  never,
  Authenticator | Workspaces
> = Effect.map(Effect.all([Authenticator, Workspaces]), ([authenticator, workspaces]) => {
  const complete = Effect.fnUntraced(
    function* (caller: Exclude<Identity, Operator>) {
      const { workspace } = yield* workspaces.account(caller.workspaceId)
      if (workspace._tag !== "Active") return yield* new Unauthenticated({ reason: "Disabled" })
      return { ...caller, workspaceLimits: limitsOf(workspace) }
    },
    Effect.catchTag("WorkspaceNotFound", () =>
      Effect.fail(new Unauthenticated({ reason: "Unknown" }))
    )
  )
  return (shown) =>
    Effect.flatMap(
      authenticator.identify(shown),
      (identity): Effect.Effect<Identity, Failure> =>
        identity.kind === "operator" || identity.workspaceLimits !== undefined
          ? Effect.succeed(identity)
          : complete(identity)
    )
})

/** What a caller from a workspace is answered by operations for operators. */
const operatorsOnly = "Only operator keys can perform this operation"

const usual = {
  /** The status for a sender that is not known. */
  unknownStatus: 401,
  /** Stands before each sentence. */
  prefix: "",
  Missing: "Missing Authentication header",
  Unknown: "Invalid API key",
  Disabled: "The workspace is disabled"
}

const words: Readonly<Record<Family, typeof usual>> = {
  preset: usual,
  openai: usual,
  operator: { ...usual, Disabled: operatorsOnly },
  transcription: {
    ...usual,
    unknownStatus: 403,
    prefix: "Forbidden: ",
    Missing: "Invalid API key format"
  }
}

/** Refuses a known sender. */
const forbid = (
  family: Family,
  { message, userId }: { readonly message: string; readonly userId: string | null }
) => answerIn(family, { status: 403, message: words[family].prefix + message, userId })

/** Refuses an unknown sender, with the scheme that a client has to use (RFC 9110, 15.5.2). */
const refuseUnknownSender = (family: Family, { reason, sentence }: Unauthenticated) => {
  const { prefix, unknownStatus, ...known } = words[family]
  // A host says something about its own users alone.
  const own = family === "operator" ? undefined : sentence
  const status = own === undefined && reason === "Disabled" ? 403 : unknownStatus
  const error = { status, message: prefix + (own ?? known[reason]) }
  return answerIn(family, error, status === 401 ? challengeHeaders : {})
}

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** The operation that a request is for. */
interface Operation {
  readonly endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "method">
  readonly group: Pick<HttpApiGroup.Top, "annotations">
  /** The label that its path names. */
  readonly label: string | undefined
}

/** Handles a request whose sender may call the operation, or refuses it. */
export type Admit = <E, R>(
  asked: Operation & Credentials,
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

const judges = {
  Workspace: judgeScope,
  KeyManager: judgeManagement,
  Operator: () => operatorsOnly,
  Either: judgeScope
} as const

const makeUnauthenticated = (reason: Unauthenticated["reason"]) => new Unauthenticated({ reason })

/** Refuses a known sender that may not call an operation; nothing where it may. */
const judge = (
  { callers, family }: AuthenticationRule,
  { identity, operation }: { readonly identity: Identity; readonly operation: Operation }
) => {
  if (identity.kind === "operator") {
    const isTaken = callers === "Operator" || callers === "Either"
    return isTaken ? undefined : refuseUnknownSender(family, makeUnauthenticated("Unknown"))
  }
  const message = judges[callers](identity, operation)
  const { userId } = identity
  return message === undefined ? undefined : forbid(family, { message, userId })
}

/** Handles a request that is let in; nothing of one that is not is done. */
const handleAdmitted = <E, R>(
  admission: Effect.Effect<void, TooManyRequests>,
  handled: Handled<E, R>
): Handled<E, R | Request> =>
  // Where nothing is limited, the admission has ended before it begins.
  admission === Effect.void
    ? handled
    : Effect.matchEffect(admission, {
        onFailure: ({ message, retryAfter }): Handled<E, R | Request> =>
          KeyShare.refuseUntil({ message, seconds: Duration.toSeconds(retryAfter) }),
        onSuccess: () => handled
      })

/** Finds out who sends a request. Operators have keys with every authenticator. */
const makeFind = Effect.map(
  Effect.all([Authenticator, OperatorKeys, makeIdentify]),
  ([authenticator, operators, identify]) =>
    (shown: Credentials, callers: Callers): ReturnType<typeof identify> => {
      if (callers === "Workspace" || callers === "KeyManager") return identify(shown)
      const hasKey = Redacted.value(shown.credential) !== ""
      const findOperator = (orElse: ReturnType<typeof identify>) =>
        operators.authenticate(shown.credential).pipe(
          Effect.map(({ id }): Identity => ({ ...operator, keyId: id })),
          Effect.catchTag("OperatorKeyUnknown", () => orElse)
        )
      if (callers === "Either") {
        return Effect.catchTag(identify(shown), "Unauthenticated", (error) =>
          hasKey && error.reason !== "Disabled"
            ? findOperator(Effect.fail(makeUnauthenticated("Unknown")))
            : Effect.fail(error)
        )
      }
      const named = Effect.suspend(() => authenticator.identify(shown))
      // From outside, an operation for operators takes a key, also where a host has sessions.
      return hasKey
        ? findOperator(named)
        : named.pipe(
            Effect.filterOrFail(
              ({ isInProcess, kind }) => kind === "operator" || isInProcess === true
            ),
            Effect.mapError(() => makeUnauthenticated("Missing"))
          )
    }
)

/** What handlers know about the sender. Those that need a `Caller` take no operators. */
const toContext = (identity: Identity): Context.Context<Caller | Sender> => {
  const sender = Context.make(Sender, identity) as Context.Context<Caller | Sender>
  return identity.kind === "operator" ? sender : Context.add(sender, Caller, identity)
}

/** Whose share a caller's requests are part of: the key's, or that of a user of a host. */
const nameOf = ({ keyId, userId, workspaceId }: Identity): string =>
  keyId ?? `${userId} of ${workspaceId}`

/** Makes what admits the requests of each rule, in the shares that all of them have together. */
const makeAdmit = Effect.gen(function* () {
  const find = yield* makeFind
  const uses = yield* LastUsedTracker
  const limits = yield* RequestLimits
  const log = yield* FailureLog
  const share = yield* KeyShare.make

  /** Handles a request in the share of its sender. The host's own requests have none. */
  const handle = <E, R>(identity: Identity, handled: Handled<E, R>): Handled<E, R | Request> => {
    const { isInProcess = false, keyId, kind } = identity
    const note = kind === "operator" ? uses.noteOperator : uses.note
    return Effect.andThen(
      keyId === undefined ? Effect.void : note(keyId),
      isInProcess
        ? Effect.provideService(handled, KeyPartition, {})
        : share(nameOf(identity), handled)
    )
  }

  /** `failure` is logged of an operation that breaks; without it, the edge answers. */
  return (rule: AuthenticationRule, failure?: string): Admit => {
    const { callers, family } = rule
    const fail = (what: string, cause: Cause.Cause<unknown>, userId: string | null = null) =>
      Effect.as(
        log.report({ what, cause }),
        answerIn(family, { status: 500, message: unexpectedMessage, userId }, retryHeaders(cause))
      )

    const recover = <E, R>(handler: Handled<E, R>, { userId }: Identity) =>
      failure === undefined
        ? handler
        : Effect.catchDefect(handler, (defect) => fail(failure, Cause.die(defect), userId))

    return ({ credential, request, ...operation }, handler) =>
      Effect.matchEffect(find({ credential, request, callers }, callers), {
        onFailure: (error) =>
          error._tag === "Unauthenticated"
            ? Effect.succeed(refuseUnknownSender(family, error))
            : fail("A key could not be looked up", Cause.fail(error)),
        onSuccess: (identity) =>
          Effect.withFiber(({ context }) => {
            const { isInProcess = false, keyId, kind } = identity
            if (keyId !== undefined) noteUnsafe(context, { keyId })
            const refusal = judge(rule, { identity, operation })
            const known = Effect.provideContext(recover(handler, identity), toContext(identity))
            const answered =
              refusal === undefined ? handle(identity, known) : Effect.succeed(refusal)
            return kind === "operator" || isInProcess || callers === "Operator"
              ? answered
              : handleAdmitted(limits.admit(identity), answered)
          })
      })
  }
})

/** Admits requests to the preset operations, for those with a direct route. */
export class PresetAdmission extends Context.Service<PresetAdmission, { readonly admit: Admit }>()(
  "@verbatim/http/Authentication/PresetAdmission"
) {}

const routed = Effect.all([HttpServerRequest.HttpServerRequest, HttpRouter.params])

type Called = Omit<Operation, "label"> & Pick<Credentials, "credential">

/** Makes the middleware of a group. Both keys stand in one header: the first one asked answers. */
const toMiddleware = (admit: Admit) => {
  const authenticate = <E, R>(handler: Handled<E, R>, { credential, endpoint, group }: Called) =>
    Effect.flatMap(routed, ([request, { label }]) =>
      admit({ credential, endpoint, group, label, request }, handler)
    )
  return { bearer: authenticate, operator: authenticate }
}

/** Authentication of all operations that take a key. */
export const layer = Layer.effectContext(
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
