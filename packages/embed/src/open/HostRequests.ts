/**
 * Handles requests from the in-process client. The caller of each, and the host's transaction if
 * there is one, are looked up by the `Request` object, so that no request from outside can
 * impersonate a caller.
 */
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import {
  Authenticator,
  Health,
  makeHealthParts,
  operator,
  toErrorBody,
  Unauthenticated
} from "@verbatim/http"
import { Data, Effect, Layer, Option, Stream } from "effect"
import { Etag, HttpBody, HttpPlatform, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Member } from "../Options.ts"
import type { OwnerLookup } from "./OwnerLookup.ts"

/** The caller and transaction of a request. */
export interface Sent {
  /** Without a member, the caller is the host itself: an operator, or the workspace `default`. */
  readonly member?: Member | undefined
  /** A connection within one of the host's transactions. */
  readonly transaction?: object | undefined
}

/** The requests that the host itself sent. */
export type OwnRequests = WeakMap<object, Sent>

/**
 * Authenticates the requests that this process itself sent, and leaves all others to another
 * authenticator.
 */
export const authenticator = (
  requests: OwnRequests,
  owners: OwnerLookup
): Layer.Layer<Authenticator, never, Authenticator> =>
  Layer.effect(
    Authenticator,
    Effect.map(Authenticator, (others) => ({
      ...others,
      identify: (shown) => {
        const how = requests.get(shown.request.source)
        if (how === undefined) return others.identify(shown)
        const { callers } = shown
        if (how.member === undefined && (callers === "Operator" || callers === "Either")) {
          return Effect.succeed({ ...operator, isInProcess: true })
        }
        const { kind = "management", scopes = null, ...member } = how.member ?? {}
        return owners.find(member).pipe(
          Effect.map((principal) => ({ ...principal, kind, scopes, isInProcess: true })),
          Effect.catchTags({
            InvalidName: ({ message }) =>
              Effect.fail(new Unauthenticated({ reason: "Unknown", sentence: message })),
            WorkspaceNotFound: ({ message: sentence }) =>
              Effect.fail(new Unauthenticated({ reason: "Unknown", sentence }))
          })
        )
      }
    }))
  )

/** Further services that the API needs: files, ETags, and a report for `/health`. */
export const surroundings = Layer.mergeAll(
  Layer.provide(HttpPlatform.layer, NodeFileSystem.layer),
  Etag.layerWeak,
  NodeFileSystem.layer,
  NodePath.layer,
  Layer.effect(
    Health,
    Effect.map(makeHealthParts, (parts) =>
      Health.of({ report: Effect.all(parts, { concurrency: "unbounded" }) })
    )
  )
)

type Response = HttpServerResponse.HttpServerResponse

type Answer<E, R> = Effect.Effect<Response, E, R>

/** Rolls back the writes of a refused request, and carries its response. */
class Undone extends Data.TaggedError("Undone")<{ readonly response: Response }> {}

const refuse = (url: string, message: string): Response =>
  HttpServerResponse.jsonUnsafe(toErrorBody(url, { status: 409, message }), { status: 409 })

/**
 * Reads the whole response before its transaction ends. Event streams never end, so they are
 * refused.
 */
const readWhole = Effect.fnUntraced(function* (response: Response, url: string) {
  const { body } = response
  if (body._tag !== "Stream") return response
  if (body.contentType.startsWith("text/event-stream")) {
    return refuse(url, "Events are not available within a transaction")
  }
  const bytes = Buffer.concat(yield* Stream.runCollect(body.stream))
  return HttpServerResponse.setBody(response, HttpBody.uint8Array(bytes, body.contentType))
})

/** This module is loaded on first use, because most hosts never need it. */
const findHostTransaction = Effect.flatMap(
  Effect.promise(() => import("@verbatim/adapters/sql")),
  ({ HostTransaction }) => Effect.serviceOption(HostTransaction)
)

/** Handles a request in the host's transaction. */
const answerWithin = Effect.fnUntraced(function* <E, R>(connection: object, answer: Answer<E, R>) {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const door = yield* findHostTransaction
  if (Option.isNone(door)) return refuse(url, "An in-memory database cannot join your transaction")
  const answered = answer.pipe(
    Effect.flatMap((response) => readWhole(response, url)),
    Effect.filterOrFail(
      ({ status }) => status < 400,
      (response) => new Undone({ response })
    )
  )
  return yield* door.value
    .within(connection)(answered)
    .pipe(
      Effect.catchIf(
        (error) => error instanceof Undone,
        ({ response }) => Effect.succeed(response)
      ),
      Effect.catchIf(
        (error) => Object(error)._tag === "HostTransactionError",
        (error) => Effect.succeed(refuse(url, Object(error).message))
      )
    )
})

/**
 * Handles a request that this process sent, within the host's transaction if the request belongs to
 * one.
 */
export const answering = <E, R>(requests: OwnRequests, answer: Answer<E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const how = requests.get(request.source)
    return how?.transaction === undefined ? answer : answerWithin(how.transaction, answer)
  })
