/**
 * Who sends a request. A server of our own asks for keys; a host knows its users by sessions, or by
 * whatever else a request carries.
 */
import type { WorkspaceStoreError } from "@verbatim/core/ports"
import { ApiKeys } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"

/** The request comes from nobody whom it could be answered. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  /** Nothing was shown, nothing that is known, or the workspace takes no requests. */
  reason: Schema.Literals(["Missing", "Unknown", "Disabled"]),
  /** What the caller is told instead of the words about keys: a host has sessions, say. */
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

/** Nobody can tell now who sends the request: what knows it cannot be reached. */
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
}

export class Authenticator extends Context.Service<
  Authenticator,
  {
    /**
     * Whom a request of a workspace comes from. Asked once for each request. Where the limits of
     * the workspace are left out, it is looked up, and refused unless it is there and active.
     */
    readonly identify: (
      shown: Shown
    ) => Effect.Effect<Principal, AuthenticatorError | Unauthenticated | WorkspaceStoreError>
    /**
     * Whether the credential alone tells. Those who listen or wait for long are asked for now and
     * then: together where they show the same one, else one by one.
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
