/**
 * Reads what a preset is made from: the JSON body of a request, within its limits.
 */
import { InvalidRequest } from "@verbatim/core/preset/RequestProblem"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as JsonBody from "../JsonBody.ts"

/** 2 MiB: a request with its tools and instructions takes a few KiB, a huge one a few hundred. */
const byteMax = 2_097_152

/** The body as a JSON value. What its fields may hold is judged by the service. */
export const readRequest = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<unknown, InvalidRequest> =>
  JsonBody.read(request, byteMax).pipe(
    Effect.mapError(({ rule }) => new InvalidRequest({ problems: [{ path: "", rule }] }))
  )
