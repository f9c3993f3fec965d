/**
 * Answers `/metrics` in the text format of Prometheus, on any router: that of the API, or that of a
 * process that only works. Readers share what has to be asked, see `Gauges`.
 */
import { coreMetrics } from "@verbatim/core/metrics"
import { Gauges } from "@verbatim/core/worker"
import { Effect, Layer, Option, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { makeErrorAnswer } from "../edge/ErrorAnswer.ts"
import { httpMetrics } from "../edge/RequestLogging.ts"
import { metricsPath } from "./HttpTable.ts"

/** What begins at zero before its first event. */
export interface StartedMetric {
  readonly begin: Effect.Effect<void>
}

/** Who may read the metrics, and which there are. */
export interface MetricsOptions {
  /** Whoever reads must send it as a bearer token; none where everybody may read. */
  readonly token: Option.Option<Redacted.Redacted>
  /** Metrics of the host's adapters, beside those of core and of the API. */
  readonly more?: ReadonlyArray<StartedMetric>
}

const encoder = new TextEncoder()

const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** As long as the longest key: nobody hashes more for a stranger. */
const credentialMax = 1_024

/** Digests are compared, so that the time of a comparison tells nothing of the token. */
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

/** The route. A process that has a worker or an engine tells of them too. */
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
