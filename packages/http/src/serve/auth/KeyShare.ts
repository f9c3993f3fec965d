/**
 * How much of the server one key may take: its requests under way at the same time, until their
 * answers are sent. A few of them are at work, the others wait for a place; a request above the
 * limit is refused before anything of it is done. Bodies that arrive, and answers that wait to be
 * read, are counted for the key, too.
 */
import { Idle } from "@verbatim/core/services"
import { Context, Effect, Scope, Stream } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import {
  AnswerLimits,
  type KeyQueue,
  makeAnswerRoom,
  makeKeyQueue,
  type Place
} from "../body/AnswerRoom.ts"
import { KeyHold, smallMax } from "../body/HeldBodies.ts"
import { makeEdgeAnswer } from "../edge/EdgeAnswer.ts"
import type { Identity } from "./Authenticator.ts"

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

type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>
type Request = HttpServerRequest.HttpServerRequest

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
export const nameOf = ({ keyId, userId, workspaceId }: Identity): string =>
  keyId ?? `${userId} of ${workspaceId}`

/** Handles a request in the share of that name, or refuses it. */
export type Share = <E, R>(name: string, handled: Handled<E, R>) => Handled<E, R | Request>

/**
 * Sends a long answer as a stream, which ends when the client has taken it: the platform takes a
 * whole answer under 1 MiB for sent as soon as it is handed over.
 */
export const toSentWhole = (response: Response, byteMin = smallMax): Response => {
  const { body } = response
  if (body._tag !== "Uint8Array" || body.contentLength <= byteMin) return response
  const { contentLength, contentType } = body
  return HttpServerResponse.setBody(
    response,
    HttpBody.stream(Stream.make(body.body), contentType, contentLength)
  )
}

/** The bytes that an answer keeps until it is sent. One in pieces holds a piece at a time. */
const heldBytesOf = ({ body }: Response): number =>
  body._tag === "Uint8Array" && body.contentLength > smallMax ? body.contentLength : 0

/** Handles a request at its place, which it gives up for its answer. */
const handleAt = <E, R>(place: Place, handled: Handled<E, R>): Handled<E, R> => {
  const idle: Idle = {
    begin: Effect.suspend(() => (place.isAtWork() ? place.hold(0) : Effect.void)),
    end: place.enterAgain
  }
  return Effect.matchCauseEffect(Effect.provideService(handled, Idle, idle), {
    onSuccess: (response) => Effect.as(place.hold(heldBytesOf(response)), toSentWhole(response)),
    // The rest of a body may be read for a while after its refusal.
    onFailure: (cause) => Effect.andThen(place.hold(0), Effect.failCause(cause))
  })
}

interface KeyRequests extends KeyHold, KeyQueue {
  count: number
}

/** Counts the requests of each key; handles a request only where its key has a free slot. */
export const make: Effect.Effect<Share> = Effect.gen(function* () {
  const { requestMax } = yield* KeyLimits
  const room = makeAnswerRoom(yield* AnswerLimits)
  const underWay = new Map<string, KeyRequests>()

  /** A slot that may be taken once, and is given back only if it was. */
  const makeSlot = (name: string) => {
    let taken: { readonly requests: KeyRequests; readonly place: Place } | undefined
    const take = () => {
      const requests = underWay.get(name) ?? { count: 0, ...makeKeyQueue(name) }
      if (requests.count >= requestMax) return undefined
      requests.count += 1
      underWay.set(name, requests)
      taken = { requests, place: room.makePlace(requests) }
      return taken
    }
    const giveBack = Effect.suspend(() => {
      if (taken === undefined) return Effect.void
      const { place, requests } = taken
      taken = undefined
      requests.count -= 1
      if (requests.count === 0) underWay.delete(name)
      return place.hold(0)
    })
    return { take, giveBack }
  }

  return <E, R>(name: string, handled: Handled<E, R>) =>
    Effect.withFiber(({ context }): Handled<E, R | Request> => {
      const { giveBack, take } = makeSlot(name)
      // Whoever is interrupted before it has a slot has none to give back.
      const handling = Effect.suspend((): Handled<E, R | Request> => {
        const slot = take()
        if (slot === undefined) return refuseForNow
        const { place, requests } = slot
        const answered = Effect.provideService(handleAt(place, handled), KeyHold, requests)
        return Effect.flatMap(
          place.enter,
          (isAtWork): Handled<E, R | Request> => (isAtWork ? answered : refuseForNow)
        )
      })
      // The scope of a request lasts until its answer is sent.
      const scope = Context.getOrUndefined(context, Scope.Scope)
      return scope === undefined
        ? Effect.ensuring(handling, giveBack)
        : Effect.andThen(Scope.addFinalizer(scope, giveBack), handling)
    })
})
