/**
 * Implements `WebhookSender` with the guarded client, which sends one POST at a time per
 * connection. A webhook counts as answered when the status of the response arrives. The beginning
 * of the body is also read, so that the exchange ends cleanly, and because the body may say why the
 * receiver rejected the webhook.
 */

import { trace, type WebhookPost, WebhookSender, WebhookSenderError } from "@verbatim/core/ports"
import { Duration, Effect, Layer } from "effect"
import * as ConnectionPool from "./ConnectionPool.ts"
import * as Guard from "./Guard.ts"
import { type ClientGuard, exchange, type HttpConnection } from "./GuardedClient.ts"
import { type OutboundError, within } from "./OutboundError.ts"

const toPortError = ({ detail }: OutboundError): WebhookSenderError =>
  new WebhookSenderError({ detail })

/** Maximum number of UTF-16 units kept from a response's text. */
const textLengthMax = 2_000

/** Collects the beginning of text that arrives in chunks. */
const makeBeginning = () => {
  const decoder = new TextDecoder()
  let text = ""
  return {
    add: (chunk: Uint8Array) => {
      if (text.length < textLengthMax) text += decoder.decode(chunk, { stream: true })
    },
    text: () => text.slice(0, textLengthMax)
  }
}

const post = Effect.fnUntraced(function* (
  { body, headers, timeout, url }: WebhookPost,
  guard: ClientGuard
) {
  const { maxAnswerBytes, answerTimeout, maxHeadBytes } = guard.limits
  const bytesMax = maxHeadBytes + maxAnswerBytes
  const sent = exchange({ url, method: "POST", headers, body, bytesMax }, guard)
  const [elapsed, answer] = yield* sent.pipe(within(timeout), Effect.timed)
  const remaining = Duration.subtract(timeout, elapsed)
  const beginning = makeBeginning()
  yield* answer
    .drain(maxAnswerBytes, beginning.add)
    .pipe(Effect.timeoutOption(Duration.min(remaining, answerTimeout)))
  return { status: answer.status, text: beginning.text() }
}, Effect.scoped)

/** Adds the receiver to the span, without the path and the query, which may be secret. */
const annotateReceiver = ({ url }: WebhookPost): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    "http.request.method": "POST",
    "server.address": URL.parse(url)?.hostname
  })

const annotateStatus = (status: number): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({ "http.response.status_code": status })

/** Provides a `WebhookSender` for public hosts, and for the networks that the options allow. */
export const layer = (options: Guard.GuardOptions): Layer.Layer<WebhookSender> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const judge = Guard.make(options)
      const connections = yield* ConnectionPool.make<HttpConnection>(
        judge.limits.maxIdleConnections
      )
      const guard = { ...judge, connections }
      return WebhookSender.of({
        post: trace("WebhookSender.post", { kind: "client" })(
          (request: WebhookPost) =>
            Effect.andThen(
              annotateReceiver(request),
              Effect.tap(post(request, guard), ({ status }) => annotateStatus(status))
            ),
          Effect.mapError(toPortError)
        )
      })
    })
  )
