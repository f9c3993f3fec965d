/**
 * Turns requests that write into what the service takes: JSON within its limits, and for changes
 * nothing but the properties they know. The service decides when a body is read.
 */

import type { RequestFormat } from "@verbatim/core/request"
import type { InvalidRequest } from "@verbatim/core/schema"
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { makeReader, readBody } from "../JudgedBody.ts"
import { parseCondition } from "./EntityTag.ts"
import { ChangeBody, DesignationBody } from "./PresetBodies.ts"

type Request = HttpServerRequest.HttpServerRequest

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
