/**
 * Serves `/metrics` in the Prometheus text format on any router, in processes with or without the
 * API. Concurrent readers share queries; see `Gauges`.
 */
import { coreMetrics } from "@verbatim/core/metrics"
import { Gauges } from "@verbatim/core/worker"
import { Effect, Layer, Option, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { makeErrorAnswer } from "../edge/ErrorAnswer.ts"
import { httpMetrics, metricsPath } from "../edge/RequestLogging.ts"

export interface StartedMetric {
  readonly begin: Effect.Effect<void>
}

export interface MetricsOptions {
  /** Readers must send this bearer token. Without a token, the metrics are public. */
  readonly token: Option.Option<Redacted.Redacted>
  /** Metrics of the host's own adapters. */
  readonly more?: ReadonlyArray<StartedMetric>
}

const encoder = new TextEncoder()

const contentType = "text/plain; version=0.0.4; charset=utf-8"

/**
 * Only this many characters of the header are hashed, so a stranger cannot make the server hash
 * huge input. No key is this long.
 */
const credentialMax = 1_024

/**
 * Returns a function that checks a reader's token. The function compares hashes, so that timing
 * reveals nothing about the expected token.
 */
const makeValidator = Effect.fnUntraced(function* (token: Option.Option<Redacted.Redacted>) {
  const digests = yield* Digest.Digest
  const digest = (text: string) =>
    Effect.orDie(digests.digestHex(Digest.sha256, encoder.encode(text)))
  if (Option.isNone(token)) return () => Effect.succeed(true)
  const expected = yield* digest(Redacted.value(token.value))
  return (authorization = "") => {
    const given = /^Bearer +(\S+)$/i.exec(authorization.slice(0, credentialMax))?.[1] ?? ""
    return Effect.map(digest(given), (actual) => actual === expected)
  }
})

const refuse = (url: string) =>
  HttpServerResponse.setHeader(
    makeErrorAnswer(url, { status: 401, message: "Missing or invalid token" }),
    "www-authenticate",
    "Bearer"
  )

/**
 * Adds the metrics route, which also reports on the worker and the engine of the process, if there
 * are any.
 */
export const metricsRoute = ({ more = [], token }: MetricsOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const gauges = yield* Gauges
      const mayRead = yield* makeValidator(token)
      const metrics = [...Object.values(coreMetrics), ...Object.values(httpMetrics), ...more]
      const text = Effect.forEach(metrics, ({ begin }) => begin, { discard: true }).pipe(
        Effect.andThen(gauges.refresh),
        Effect.andThen(PrometheusMetrics.format())
      )
      yield* router.add(
        "GET",
        metricsPath,
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, url }) =>
          Effect.flatMap(mayRead(headers.authorization), (may) =>
            may
              ? Effect.map(text, (page) =>
                  HttpServerResponse.text(page, {
                    contentType,
                    headers: { "cache-control": "no-store" }
                  })
                )
              : Effect.succeed(refuse(url))
          )
        )
      )
    })
  ).pipe(Layer.provide(Gauges.layer))
