/**
 * Who sends a request. Our own server looks up keys; a host knows its users by sessions, or by
 * whatever else a request carries.
 */
import type { WorkspaceStoreError } from "@verbatim/core/ports"
import { ApiKeys, Workspaces } from "@verbatim/core/services"
import { type ApiKeyId, limitsOf, type Principal } from "@verbatim/core/workspace"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Callers } from "../../contract/Authentication.ts"

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
export interface Shown {
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
    readonly identify: (shown: Shown) => Effect.Effect<Identity, Failure>
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
