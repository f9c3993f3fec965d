/**
 * Reads the bodies of preset operations: JSON within its limits, and for changes nothing but what
 * they know.
 */

import { PresetChange } from "@verbatim/core/domain/preset/PresetChange"
import * as JsonLimits from "@verbatim/core/domain/schema/JsonLimits"
import { fromIssue, InvalidRequest } from "@verbatim/core/domain/schema/Problem"
import * as Rule from "@verbatim/core/domain/schema/Rule"
import { Effect, Result, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as JsonBody from "../JsonBody.ts"
import { expectedBy } from "./EntityTag.ts"
import { countMax } from "./PresetParameters.ts"

type Request = HttpServerRequest.HttpServerRequest

/** 2 MiB: a request with its tools and instructions takes a few KiB, a huge one a few hundred. */
const byteMax = 2_097_152

/** The body as a JSON value. What its fields may hold is judged by the service. */
export const readRequest = (request: Request): Effect.Effect<unknown, InvalidRequest> =>
  JsonBody.read(request, byteMax).pipe(
    Effect.mapError(({ rule }) => new InvalidRequest({ problems: [{ path: "", rule }] }))
  )

/** The version to designate. */
export const DesignationBody = Schema.Struct({
  version: Schema.Int.check(Rule.numberAtLeast(1), Rule.numberAtMost(countMax)).annotate({
    description: "The number of an existing version."
  })
}).annotate({ identifier: "DesignatedVersion", examples: [{ version: 1 }] })

/** What to change. */
export const ChangeBody = PresetChange.annotate({
  identifier: "PresetChange",
  examples: [{ status: "disabled", description: "Not for now." }]
})

/**
 * Reads a body of our own making. A misspelt property of it would silently change nothing, so an
 * unknown one is refused.
 */
const reading = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownResult(schema, {
    errors: "all",
    onExcessProperty: "error",
    reportInput: true
  })
  return Effect.fnUntraced(function* (request: Request) {
    const body = yield* readRequest(request)
    const measured = JsonLimits.measure(body)
    if (Result.isFailure(measured)) {
      return yield* new InvalidRequest({ problems: [measured.failure] })
    }
    const decoded = decode(body)
    if (Result.isFailure(decoded)) {
      return yield* new InvalidRequest({ problems: fromIssue(decoded.failure.issue) })
    }
    return decoded.success
  })
}

/**
 * A change with its precondition, as the service takes them. A precondition that cannot be read is
 * told where the body would be, so that who may not write learns nothing about it.
 */
const conditional =
  <A>(read: (request: Request) => Effect.Effect<A, InvalidRequest>) =>
  (request: Request) => {
    const expected = expectedBy(request.headers["if-match"])
    return {
      expected: Result.getOrElse(expected, () => []),
      wanted: Effect.andThen(Effect.fromResult(expected), read(request))
    }
  }

const readDesignation = reading(DesignationBody)

/** A request to designate a version. */
export const designationOf = conditional((request) =>
  Effect.map(readDesignation(request), ({ version }) => version)
)

/** A request to change a preset. */
export const changeOf = conditional(reading(ChangeBody))
