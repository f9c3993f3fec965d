/**
 * How much of the server one key may take: its requests under way at the same time, until their
 * answers are sent. Whoever has more is asked to come back; nothing of the request is done. What
 * the bodies of these requests hold while they arrive is counted here, too.
 */
import type { Principal } from "@verbatim/core/workspace"
import { Context, Effect, Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeEdgeAnswer } from "./EdgeAnswer.ts"
import { KeyHold } from "./HeldBodies.ts"

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

/** Asks a caller to come back after some seconds, at least one. */
export const refuseUntil = ({
  message,
  seconds,
  status = 429
}: {
  readonly message: string
  readonly seconds: number
  /** 503 where it is this process that has no room, whoever asks. */
  readonly status?: 429 | 503
}) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) =>
    HttpServerResponse.setHeader(
      makeEdgeAnswer(url, { status, message }),
      "retry-after",
      String(Math.max(1, Math.ceil(seconds)))
    )
  )

/** Asks a caller to come back in a moment. */
export const refuseForNow = refuseUntil({
  message: "Too many requests at the same time",
  seconds: retrySeconds
})

/** Whose share a caller's requests are part of: the key's, or that of a user of a host. */
export const nameOf = ({ keyId, userId, workspaceId }: Principal): string =>
  keyId ?? `${userId} of ${workspaceId}`

/** Handles a request in the share of that name, or refuses it. */
export type Share = <E, R>(
  name: string,
  handled: Handled<E, R>
) => Handled<E, R | HttpServerRequest.HttpServerRequest>

/** Counts the requests of each key; handles a request only where its key has a free slot. */
export const make: Effect.Effect<Share> = Effect.gen(function* () {
  const { requestMax } = yield* KeyLimits
  const underWay = new Map<string, KeyHold & { count: number }>()
  /** A slot that may be taken once, and is given back only if it was. */
  const makeSlot = (name: string) => {
    let taken: (KeyHold & { count: number }) | undefined
    const take = (): KeyHold | undefined => {
      const share = underWay.get(name) ?? { count: 0 }
      if (share.count >= requestMax) return undefined
      share.count += 1
      underWay.set(name, share)
      taken = share
      return share
    }
    const giveBack = Effect.sync(() => {
      if (taken === undefined) return
      taken.count -= 1
      if (taken.count === 0) underWay.delete(name)
      taken = undefined
    })
    return { take, giveBack }
  }

  return <E, R>(name: string, handled: Handled<E, R>) =>
    Effect.withFiber(({ context }): Handled<E, R | HttpServerRequest.HttpServerRequest> => {
      const { giveBack, take } = makeSlot(name)
      // Whoever is interrupted before it has a slot has none to give back.
      const handling = Effect.suspend((): Handled<E, R | HttpServerRequest.HttpServerRequest> => {
        const share = take()
        return share === undefined ? refuseForNow : Effect.provideService(handled, KeyHold, share)
      })
      // The scope of a request lasts until its answer is sent.
      const scope = Context.getOrUndefined(context, Scope.Scope)
      return scope === undefined
        ? Effect.ensuring(handling, giveBack)
        : Effect.andThen(Scope.addFinalizer(scope, giveBack), handling)
    })
})
