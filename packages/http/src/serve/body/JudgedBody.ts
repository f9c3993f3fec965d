/**
 * Reads bodies of JSON whose limits, and whose rules, are told in one refusal.
 */
import { ExactNumber, InvalidRequest, makeJudge } from "@verbatim/core/schema"
import { Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { readJson } from "./Body.ts"

type Request = HttpServerRequest.HttpServerRequest

/** 2 MiB: a request with its tools and instructions takes a few KiB, a huge one a few hundred. */
const bodyMax = 2_097_152

/**
 * Reads the body as a JSON value, of 2 MiB unless `byteMax` is another limit. What its fields may
 * hold is judged by the service.
 */
export const readBody = (
  request: Request,
  byteMax: number = bodyMax
): Effect.Effect<unknown, InvalidRequest> =>
  readJson(request, byteMax).pipe(
    Effect.mapError(({ rule }) => new InvalidRequest({ problems: [{ path: "", rule }] }))
  )

/**
 * Makes a reader of a body of our own design. A misspelt property would silently change nothing, so
 * an unknown one is refused. The numbers of `exact` properties keep their digits.
 */
export const makeReader = <A, Fields extends Schema.Struct.Fields>(
  schema: Schema.ConstraintDecoder<A> & { readonly fields: Fields },
  exact: ReadonlyArray<string> = []
) => {
  const options = { onExcessProperty: "error" } as const
  const judge = makeJudge({ schema, names: Object.keys(schema.fields), options })
  const decode = Schema.decodeUnknownEffect(schema, options)
  return Effect.fnUntraced(function* (request: Request) {
    const body = yield* readBody(request)
    const [first, ...others] = judge(body)
    if (first !== undefined) return yield* new InvalidRequest({ problems: [first, ...others] })
    // A number of more digits than we count with is taken as the judge took it.
    const read = yield* Effect.orDie(decode(ExactNumber.toNumbers(body)))
    const kept = Object.entries(Object(body)).filter(([name]) => exact.includes(name))
    return { ...read, ...Object.fromEntries(kept) }
  })
}
