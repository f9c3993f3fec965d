/**
 * Answers to requests that no operation handles: before a route was found, or when one broke.
 */
import { HttpServerResponse } from "effect/http"

/** Makes an error in the form of the API that the path belongs to. */
export const makeEdgeAnswer = (
  path: string,
  { message, status }: { readonly message: string; readonly status: number }
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(
    path.startsWith("/v1/presets")
      ? { error: { code: status, message }, gateway_metadata: null, user_id: null }
      : { detail: message },
    { status }
  )
