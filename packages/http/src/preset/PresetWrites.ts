/**
 * Turns requests that write into what the service takes: JSON within its limits, and for changes
 * nothing but the properties they know. The service decides when a body is read.
 */

import type { RequestFormat } from "@verbatim/core/request"
import { InvalidRequest, makeJudge } from "@verbatim/core/schema"
import { Effect, Result, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { readJson } from "../Body.ts"
import { parseCondition } from "./EntityTag.ts"
import { ChangeBody, DesignationBody } from "./PresetBodies.ts"

type Request = HttpServerRequest.HttpServerRequest

/** 2 MiB: a request with its tools and instructions takes a few KiB, a huge one a few hundred. */
const byteMax = 2_097_152

/** Reads the body as a JSON value. What its fields may hold is judged by the service. */
const readBody = (request: Request): Effect.Effect<unknown, InvalidRequest> =>
  readJson(request, byteMax).pipe(
    Effect.mapError(({ rule }) => new InvalidRequest({ problems: [{ path: "", rule }] }))
  )

/**
 * Makes a reader of a body of our own design. A misspelt property would silently change nothing, so
 * an unknown one is refused.
 */
const makeReader = <A, Fields extends Schema.Struct.Fields>(
  schema: Schema.ConstraintDecoder<A> & { readonly fields: Fields }
) => {
  const options = { onExcessProperty: "error" } as const
  const judge = makeJudge({ schema, names: Object.keys(schema.fields), options })
  const decode = Schema.decodeUnknownEffect(schema, options)
  return Effect.fnUntraced(function* (request: Request) {
    const body = yield* readBody(request)
    const [first, ...others] = judge(body)
    if (first !== undefined) return yield* new InvalidRequest({ problems: [first, ...others] })
    return yield* Effect.orDie(decode(body))
  })
}

/**
 * Adds the precondition of a write. One that cannot be read is refused when the body would be read,
 * so that callers who may not write learn nothing about it.
 */
const withCondition = <A>(
  request: Request,
  read: (request: Request) => Effect.Effect<A, InvalidRequest>
) => {
  const condition = parseCondition(request.headers)
  return {
    condition: Result.getOrUndefined(condition),
    body: Effect.andThen(Effect.fromResult(condition), read(request))
  }
}

/** Reads a request to store a preset. */
export const readCreation = (request: Request, format: RequestFormat) => ({
  format,
  sessionIdHeader: request.headers["x-session-id"],
  idempotencyKey: request.headers["idempotency-key"],
  ...withCondition(request, readBody)
})

/** Makes a reader of a change. */
const makeChangeReader =
  <A>(read: (request: Request) => Effect.Effect<A, InvalidRequest>) =>
  (request: Request) => {
    const { body, condition } = withCondition(request, read)
    return { condition, wanted: body }
  }

const readVersion = makeReader(DesignationBody)

/** Reads a request to designate a version. */
export const readDesignation = makeChangeReader((request) =>
  Effect.map(readVersion(request), ({ version }) => version)
)

/** Reads a request to change a preset. */
export const readChange = makeChangeReader(makeReader(ChangeBody))
