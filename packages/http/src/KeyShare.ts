/**
 * How much of the server one key may take: its requests under way at the same time, until their
 * answers are sent. Whoever has more is asked to come back; nothing of the request is done.
 */
import { Context, Effect, Option, Redacted, Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeEdgeAnswer } from "./EdgeAnswer.ts"

/** What one key may have under way in one process. */
export interface KeyLimits {
  readonly requestMax: number
}

export const KeyLimits: Context.Reference<KeyLimits> = Context.Reference(
  "@verbatim/http/KeyLimits",
  // More than a busy host has under way; what they hold together has limits of its own.
  { defaultValue: (): KeyLimits => ({ requestMax: 1_024 }) }
)

/** Requests end after some milliseconds, or after minutes: nobody knows. */
const retrySeconds = 1

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const refuse = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) =>
  HttpServerResponse.setHeader(
    makeEdgeAnswer(url, { status: 429, message: "Too many requests at the same time" }),
    "retry-after",
    String(retrySeconds)
  )
)

/** Handles a request in the share of its key, or refuses it. */
export type Share = <E, R>(
  credential: Redacted.Redacted,
  handled: Handled<E, R>
) => Handled<E, R | HttpServerRequest.HttpServerRequest>

/** Counts the requests of each key; handles a request only where its key has a place. */
export const make: Effect.Effect<Share> = Effect.map(KeyLimits, ({ requestMax }) => {
  const underWay = new Map<string, number>()
  const countOf = (key: string) => underWay.get(key) ?? 0
  const leave = (key: string) =>
    Effect.sync(() => {
      const count = countOf(key) - 1
      if (count > 0) underWay.set(key, count)
      else underWay.delete(key)
    })
  return <E, R>(credential: Redacted.Redacted, handled: Handled<E, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        Effect.serviceOption(Scope.Scope),
        (scope): Handled<E, R | HttpServerRequest.HttpServerRequest> => {
          const key = Redacted.value(credential)
          if (countOf(key) >= requestMax) return refuse
          underWay.set(key, countOf(key) + 1)
          // The scope of a request ends when its answer is sent, however long that takes.
          return Option.isSome(scope)
            ? Effect.andThen(Scope.addFinalizer(scope.value, leave(key)), restore(handled))
            : Effect.ensuring(restore(handled), leave(key))
        }
      )
    )
})
