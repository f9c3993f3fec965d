/**
 * Turns requests that write into what the service takes: JSON within its limits, and for changes
 * nothing but the properties they know. The service decides when a body is read.
 */

import type { RequestFormat } from "@verbatim/core/request"
import { InvalidRequest } from "@verbatim/core/schema"
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { makeReader, readBody } from "../JudgedBody.ts"
import { parseCondition } from "./EntityTag.ts"
import { ChangeBody, DesignationBody } from "./PresetBodies.ts"
import type { CreationQuery } from "./PresetParameters.ts"

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

const noFlag = new InvalidRequest({
  problems: [{ path: "dry_run", rule: "must be true or false, once" }]
})

/** Reads a request to store a preset, and whether it is only tried. */
export const readCreation = (
  request: Request,
  { format, query }: { readonly format: RequestFormat; readonly query: CreationQuery }
) => ({
  isDry: query.dry_run === "true",
  format,
  sessionIdHeader: request.headers["x-session-id"],
  idempotencyKey: request.headers["idempotency-key"],
  ...withCondition(request, (judged) =>
    [undefined, "true", "false"].some((flag) => flag === query.dry_run)
      ? readBody(judged)
      : Effect.fail(noFlag)
  )
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
