/**
 * Sends telemetry to a collector. Nothing waits for the collector, and only a few batches are kept,
 * so data that cannot be sent is lost. The log reports the beginning and the end of each outage
 * once.
 */
import { Guard, GuardedUpload } from "@verbatim/adapters/net"
import { Clock, Duration, Effect, Option, Schedule, Semaphore, Stream } from "effect"
import { HttpClient, type HttpClientRequest, HttpClientResponse } from "effect/http"

/**
 * For each signal, at most this many batches are sent concurrently. A batch of a thousand spans
 * takes a few megabytes.
 */
const underWayMax = 4

/** Timeout of each attempt, the same as in OpenTelemetry's own exporters. */
const timeout = Duration.seconds(10)

/** Number of attempts after the first. The exporter pauses for a minute after the last attempt. */
const retryMax = 2

const retryDelay = Duration.seconds(1)

/** Maximum number of bytes to read from a collector's response. */
const maxAnswerBytes = 16_384

/** Statuses after which a batch may be sent again (OTLP 1, "Failures"). */
const transient: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/** With this status, the exporter pauses. With another one, it might retry by itself. */
const restStatus = 400

const lostStatus = 202

/**
 * The end of an outage is logged at the earliest this long after its beginning, because a collector
 * may fail on every other batch.
 */
const quietNanos = 60_000_000_000n

interface SignalState {
  readonly slots: Semaphore.Semaphore
  /** When the current outage began, on a monotonic clock. */
  brokenAt?: bigint | undefined
}

const answer = (request: HttpClientRequest.HttpClientRequest, status: number) =>
  HttpClientResponse.fromWeb(request, new Response(null, { status }))

/** Sends a request once. Fails with a short reason. */
const send = (request: HttpClientRequest.HttpClientRequest, url: URL) => {
  const origin = Option.getOrUndefined(Guard.trust(url.href))
  const { body, headers } = request
  if (origin === undefined || body._tag !== "Uint8Array") return Effect.die("no such telemetry")
  return GuardedUpload.upload(
    {
      url: url.href,
      headers: { ...headers, "content-type": body.contentType },
      content: Stream.succeed(body.body),
      byteLength: body.body.byteLength,
      maxAnswerBytes,
      timeout
    },
    origin
  ).pipe(
    Effect.mapError(({ detail }) => ({ isTransient: true, why: detail })),
    Effect.flatMap(({ status }) =>
      status >= 200 && status < 300
        ? Effect.succeed(status)
        : Effect.fail({
            isTransient: transient.has(status),
            why: `the collector answered ${status}`
          })
    )
  )
}

/** Creates the HTTP client that all exporters of a process share. */
export const make: Effect.Effect<HttpClient.HttpClient> = Effect.sync(() => {
  const lines = new Map<string, SignalState>()

  const reportFailure = Effect.fnUntraced(function* (line: SignalState, url: URL, why: string) {
    if (line.brokenAt !== undefined) return
    line.brokenAt = yield* Clock.monotonicTimeNanos
    const place = `${url.origin}${url.pathname}`
    yield* Effect.logWarning(
      `Telemetry cannot be sent to ${place} and is lost (${why}). Retrying every minute.`
    )
  })

  const reportRecovery = Effect.fnUntraced(function* (line: SignalState, url: URL) {
    if (line.brokenAt === undefined) return
    if ((yield* Clock.monotonicTimeNanos) - line.brokenAt < quietNanos) return
    line.brokenAt = undefined
    yield* Effect.logInfo(`Telemetry is sent to ${url.origin}${url.pathname} again.`)
  })

  return HttpClient.make((request, url) => {
    const line: SignalState = lines.get(url.href) ?? { slots: Semaphore.makeUnsafe(underWayMax) }
    lines.set(url.href, line)
    const sending = send(request, url).pipe(
      Effect.retry({
        schedule: Schedule.spaced(retryDelay),
        times: retryMax,
        while: ({ isTransient }) => isTransient
      }),
      Effect.matchEffect({
        onFailure: ({ why }) =>
          Effect.as(reportFailure(line, url, why), answer(request, restStatus)),
        onSuccess: (status) => Effect.as(reportRecovery(line, url), answer(request, status))
      })
    )
    return Effect.flatMap(line.slots.withPermitsIfAvailable(1)(sending), (sent) =>
      Option.isSome(sent)
        ? Effect.succeed(sent.value)
        : Effect.as(
            reportFailure(line, url, "the collector is too slow"),
            answer(request, lostStatus)
          )
    )
  })
})
