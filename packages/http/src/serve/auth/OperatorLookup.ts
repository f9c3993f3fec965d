/**
 * Looks up whether the key of a request is that of an operator, and notes its use.
 */
import { KeyUses, OperatorKeys } from "@verbatim/core/services"
import type { OperatorKey } from "@verbatim/core/workspace"
import { Effect, type Redacted } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { FailureLog } from "../edge/FailureLog.ts"
import { note } from "../edge/RequestNotes.ts"
import { anonymous, makeLookupFailure } from "./KeyRefusals.ts"

type Handled<E, R> = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  E,
  HttpServerRequest.HttpServerRequest | R
>

/** What becomes of a request. */
interface Handling<E, R> {
  readonly handle: (key: OperatorKey) => Handled<E, R>
  /** Its key is no operator's. */
  readonly refuse: (credential: Redacted.Redacted) => Handled<E, R>
}

/** Makes the look-up. */
export const makeOperatorLookup = Effect.map(
  Effect.all([OperatorKeys, KeyUses, FailureLog]),
  ([operators, uses, log]) => {
    const fail = makeLookupFailure(log, anonymous.unexpected)
    return <E, R>(
      credential: Redacted.Redacted,
      { handle, refuse }: Handling<E, R>
    ): Handled<E, R> =>
      Effect.matchEffect(operators.authenticate(credential), {
        onFailure: (error): Handled<E, R> =>
          error._tag === "OperatorKeyUnknown" ? refuse(credential) : fail(error),
        onSuccess: (key) =>
          Effect.andThen(
            Effect.andThen(note({ keyId: key.id }), uses.noteOperator(key.id)),
            handle(key)
          )
      })
  }
)
