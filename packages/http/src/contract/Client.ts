/**
 * A typed client of the API, made from the same value as the server.
 */
import type { Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "./Api.ts"

/** A client that sends the key with every request; a host brings its own `HttpClient`. */
export const make = (options: {
  readonly baseUrl: string | URL
  readonly key: Redacted.Redacted
}) =>
  HttpApiClient.make(Api, {
    baseUrl: options.baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(options.key))
  })
