/**
 * Authenticates all operations: identifies the sender of a request by key or by the host's method,
 * checks the sender's permission, and counts the request towards the sender's share of the server.
 * Refusals have the error format of the operation. The scheme name is case-insensitive (RFC 9110,
 * 11.1).
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
  findScopes,
  KeyManagement,
  OperatorAuthentication,
  PresetAuthentication,
  Sender,
  SpeechAuthentication,
  TranscriptionAuthentication,
  UsageAuthentication
} from "../../contract/Authentication.ts"
import { challengeHeaders, unexpectedMessage } from "../../contract/Errors.ts"
import { KeyPartition } from "../body/BodyBudget.ts"
import { answerIn } from "../edge/ErrorAnswer.ts"
import { FailureLog, retryHeaders } from "../edge/FailureLog.ts"
import { noteUnsafe } from "../edge/RequestLogging.ts"
import * as KeyShare from "./KeyShare.ts"

/** The error for a sender who is unknown or not allowed to send requests. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  /**
   * The request has no credential, its credential is unknown, or the sender's workspace is
   * disabled.
   */
  reason: Schema.Literals(["Missing", "Unknown", "Disabled"]),
  /**
   * A message to send in place of the usual one about keys, for example if the host uses sessions.
   */
  sentence: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    return this.sentence ?? sentences[this.reason]
  }
}

const sentences = {
  Missing: "The request does not identify its sender",
  Unknown: "The sender of the request is unknown",
  Disabled: "The workspace is disabled"
} as const

/**
 * The error if a sender cannot be identified now, because the service that identifies senders is
 * unreachable.
 */
export class AuthenticatorError extends Schema.TaggedError<AuthenticatorError>()(
  "AuthenticatorError",
  { cause: Schema.Defect() }
) {
  override readonly message = "The sender of the request cannot be identified now"
}

export interface Credentials {
  readonly request: HttpServerRequest.HttpServerRequest
  /** The bearer token, or an empty string if none was sent. */
  readonly credential: Redacted.Redacted
  /**
   * The kind of caller that the operation accepts. A host that serves both callers and operators
   * can use it.
   */
  readonly callers?: Callers
}

/** An operator, who belongs to no workspace. */
export interface Operator {
  readonly kind: "operator"
  readonly workspaceId: null
  readonly userId: null
  readonly keyId?: ApiKeyId
}

/** The sender of a request: a caller from a workspace, or an operator. */
export type Identity = (Operator | Principal) & {
  /**
   * Whether the host itself sends the request. Such requests have no limits and count towards no
   * key's share.
   */
  readonly isInProcess?: boolean
}

/** An operator without a key. A host's authenticator can return this value. */
export const operator: Operator = { kind: "operator", workspaceId: null, userId: null }

type Failure = AuthenticatorError | Unauthenticated | WorkspaceStoreError

export class Authenticator extends Context.Service<
  Authenticator,
  {
    /**
     * Identifies the sender of a request; called once for each request. The server itself looks up
     * operator keys. If the result lacks the workspace's limits, the server also looks up the
     * workspace, and refuses the request unless the workspace exists and is active.
     */
    readonly identify: (shown: Credentials) => Effect.Effect<Identity, Failure>
    /**
     * Whether the credential alone identifies the sender. If so, subscribers and waiting callers
     * with the same credential are rechecked together. Otherwise, each is rechecked separately.
     */
    readonly isByCredential?: boolean
  }
>()("@verbatim/http/Authenticator") {
  /** Authenticates by issued keys: `Authorization: Bearer <key>`. */
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
 * Returns the authenticator's `identify`, extended to look up the limits of the caller's workspace
 * if they are missing. A host knows its users, but not the state of their workspaces. A key lookup
 * has already read this state.
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

/** The message for a caller from a workspace who calls an operation for operators. */
const operatorsOnly = "Only operator keys can perform this operation"

const usual = {
  /** The HTTP status for an unknown sender. */
  unknownStatus: 401,
  /** The prefix of every refusal message. */
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

/** Refuses a sender who is known but lacks permission. */
const forbid = (
  family: Family,
  { message, userId }: { readonly message: string; readonly userId: string | null }
) => answerIn(family, { status: 403, message: words[family].prefix + message, userId })

/** Refuses an unknown sender, and names the authentication scheme (RFC 9110, 15.5.2). */
const refuseUnknownSender = (family: Family, { reason, sentence }: Unauthenticated) => {
  const { prefix, unknownStatus, ...known } = words[family]
  // A host writes its message for its users, so operators do not get it.
  const own = family === "operator" ? undefined : sentence
  const status = own === undefined && reason === "Disabled" ? 403 : unknownStatus
  const error = { status, message: prefix + (own ?? known[reason]) }
  return answerIn(family, error, status === 401 ? challengeHeaders : {})
}

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** The parts of an operation that determine who can call it. */
interface Operation {
  readonly endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "method">
  readonly group: Pick<HttpApiGroup.Top, "annotations">
  /** The label in the request's path. */
  readonly label: string | undefined
}

/** Handles a request if its sender has permission, and otherwise refuses it. */
export type Admit = <E, R>(
  call: Operation & Credentials,
  handler: Handled<E, R>
) => Handled<E, Exclude<R, Caller | Sender> | Request>

/**
 * Checks a key's scopes. Keys without a list of scopes are checked by the operations themselves. If
 * two scopes are accepted, the message names the label's scope, which is enough even for a
 * protected label.
 */
const judgeScope = (
  { kind, scopes = null }: Principal,
  { endpoint, group, label }: Operation
): string | undefined => {
  if (scopes === null) return undefined
  const taken = findScopes(group, endpoint, label).filter(isScope)
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

/** Returns a refusal if the sender lacks permission, otherwise undefined. */
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

/** Handles a request only after it has been admitted, so a refused request has no effects. */
const handleAdmitted = <E, R>(
  admission: Effect.Effect<void, TooManyRequests>,
  handled: Handled<E, R>
): Handled<E, R | Request> =>
  // If there are no limits, the request is handled directly.
  admission === Effect.void
    ? handled
    : Effect.matchEffect(admission, {
        onFailure: ({ message, retryAfter }): Handled<E, R | Request> =>
          KeyShare.refuseUntil({ message, seconds: Duration.toSeconds(retryAfter) }),
        onSuccess: () => handled
      })

/**
 * Returns a function that identifies the sender of a request. Operator keys work with every
 * authenticator.
 */
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
      // An external request for an operator's operation needs a key, unless the host identifies its
      // sender as an operator.
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

/** Builds the services that tell handlers about the sender. An operator gets no `Caller`. */
const toContext = (identity: Identity): Context.Context<Caller | Sender> => {
  const sender = Context.make(Sender, identity) as Context.Context<Caller | Sender>
  return identity.kind === "operator" ? sender : Context.add(sender, Caller, identity)
}

interface FailedRequest {
  readonly what: string
  readonly cause: Cause.Cause<unknown>
  readonly userId?: string | null
}

/**
 * Names the share that a sender's requests count towards: each key and each user of a host has its
 * own.
 */
const nameShare = ({ keyId, userId, workspaceId }: Identity): string =>
  keyId ?? `${userId} of ${workspaceId}`

/** Counts a request towards its sender's limits, and refuses it if a limit is reached. */
export type Count = <E, R>(handled: Handled<E, R>) => Handled<E, R | Request>

/**
 * Admits MCP messages. A message that calls a tool is not counted, because the tool's own API
 * requests are counted and admitted.
 */
export class McpAdmission extends Context.Service<
  McpAdmission,
  {
    readonly admit: <E, R>(
      shown: Omit<Credentials, "callers">,
      handler: (count: Count) => Handled<E, R>
    ) => Handled<E, R | Request>
  }
>()("@verbatim/http/Authentication/McpAdmission") {}

/** Builds the answer to a failed request, and logs the failure. */
const makeFail = Effect.map(
  FailureLog,
  (log) =>
    (family: Family, { userId = null, ...failure }: FailedRequest) =>
      Effect.as(
        log.report(failure),
        answerIn(
          family,
          { status: 500, message: unexpectedMessage, userId },
          retryHeaders(failure.cause)
        )
      )
)

/** Returns a function that identifies a request's sender or refuses the request. */
const makeRequireSender = Effect.map(
  Effect.all([makeFind, makeFail]),
  ([find, fail]) =>
    <E, R>(
      { callers, family }: AuthenticationRule,
      shown: Omit<Credentials, "callers">,
      handler: (identity: Identity) => Handled<E, R>
    ): Handled<E, R | Request> =>
      Effect.matchEffect(find({ ...shown, callers }, callers), {
        onFailure: (error) =>
          error._tag === "Unauthenticated"
            ? Effect.succeed(refuseUnknownSender(family, error))
            : fail(family, { what: "A key could not be looked up", cause: Cause.fail(error) }),
        onSuccess: (identity) =>
          Effect.withFiber(({ context }) => {
            const { keyId } = identity
            if (keyId !== undefined) noteUnsafe(context, { keyId })
            return handler(identity)
          })
      })
)

/**
 * Returns a function that admits MCP messages, and a function that returns an `Admit` for a rule.
 * All rules use the same shares.
 */
const makeAdmissions = Effect.gen(function* () {
  const requireSender = yield* makeRequireSender
  const fail = yield* makeFail
  const uses = yield* LastUsedTracker
  const limits = yield* RequestLimits
  const share = yield* KeyShare.make

  /** Handles a request within its sender's share. The host's own requests have no share. */
  const handle = <E, R>(identity: Identity, handled: Handled<E, R>): Handled<E, R | Request> => {
    const { isInProcess = false, keyId, kind } = identity
    const note = kind === "operator" ? uses.noteOperator : uses.note
    return Effect.andThen(
      keyId === undefined ? Effect.void : note(keyId),
      isInProcess
        ? Effect.provideService(handled, KeyPartition, {})
        : share(nameShare(identity), handled)
    )
  }

  const admitMessage: McpAdmission["Service"]["admit"] = (shown, handler) =>
    requireSender(PresetAuthentication, shown, (identity) =>
      identity.kind === "operator"
        ? Effect.succeed(refuseUnknownSender("preset", makeUnauthenticated("Unknown")))
        : Effect.provideService(
            handler((handled) => handleAdmitted(limits.admit(identity), handled)),
            KeyPartition,
            nameShare(identity)
          )
    )

  /** If an operation fails, `failure` is logged. Without `failure`, the edge logs and responds. */
  const makeFor = (rule: AuthenticationRule, failure?: string): Admit => {
    const recover = <E, R>(handler: Handled<E, R>, { userId }: Identity) =>
      failure === undefined
        ? handler
        : Effect.catchDefect(handler, (defect) =>
            fail(rule.family, { what: failure, cause: Cause.die(defect), userId })
          )

    return ({ credential, request, ...operation }, handler) =>
      requireSender(rule, { credential, request }, (identity) => {
        const { isInProcess = false, kind } = identity
        const refusal = judge(rule, { identity, operation })
        const known = Effect.provideContext(recover(handler, identity), toContext(identity))
        const answered = refusal === undefined ? handle(identity, known) : Effect.succeed(refusal)
        return kind === "operator" || isInProcess || rule.callers === "Operator"
          ? answered
          : handleAdmitted(limits.admit(identity), answered)
      })
  }

  return { admitMessage, makeFor }
})

/** Admits requests on the direct routes of preset operations. */
export class PresetAdmission extends Context.Service<PresetAdmission, { readonly admit: Admit }>()(
  "@verbatim/http/Authentication/PresetAdmission"
) {}

const routed = Effect.all([HttpServerRequest.HttpServerRequest, HttpRouter.params])

type Called = Omit<Operation, "label"> & Pick<Credentials, "credential">

/**
 * Creates the middleware of a group. Both kinds of keys arrive in the same header, so the kind that
 * is checked first determines the response.
 */
const toMiddleware = (admit: Admit) => {
  const authenticate = <E, R>(handler: Handled<E, R>, { credential, endpoint, group }: Called) =>
    Effect.flatMap(routed, ([request, { label }]) =>
      admit({ credential, endpoint, group, label, request }, handler)
    )
  return { bearer: authenticate, operator: authenticate }
}

/** Authentication for all operations that need a key. */
export const layer = Layer.effectContext(
  Effect.map(makeAdmissions, ({ admitMessage, makeFor }) => {
    const ofPresets = makeFor(PresetAuthentication, "A preset operation failed")
    const ofKeys = makeFor(KeyManagement, "An operation on keys failed")
    const plain = (rule: AuthenticationRule) => toMiddleware(makeFor(rule))
    return Context.make(PresetAdmission, { admit: ofPresets }).pipe(
      Context.add(McpAdmission, { admit: admitMessage }),
      Context.add(PresetAuthentication, toMiddleware(ofPresets)),
      Context.add(KeyManagement, toMiddleware(ofKeys)),
      Context.add(OperatorAuthentication, plain(OperatorAuthentication)),
      Context.add(SpeechAuthentication, plain(SpeechAuthentication)),
      Context.add(TranscriptionAuthentication, plain(TranscriptionAuthentication)),
      Context.add(UsageAuthentication, plain(UsageAuthentication))
    )
  })
)
