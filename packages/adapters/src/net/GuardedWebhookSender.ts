/**
 * `WebhookSender` over the guarded client: one POST at a time on a connection. A receiver has
 * answered once its status has arrived; a little of what follows is read, for a polite end and for
 * its beginning, which may say why it refuses.
 */

import { trace, type WebhookPost, WebhookSender, WebhookSenderError } from "@verbatim/core/ports"
import { Duration, Effect, Layer } from "effect"
import * as ConnectionPool from "./ConnectionPool.ts"
import * as Guard from "./Guard.ts"
import { type ClientGuard, exchange, type HttpConnection } from "./GuardedClient.ts"
import { type OutboundError, within } from "./OutboundError.ts"

const toPortError = ({ detail }: OutboundError): WebhookSenderError =>
  new WebhookSenderError({ detail })

/** As much of an answer as is kept, in UTF-16 units. */
const textLengthMax = 2_000

/** Collects the beginning of a text that arrives in chunks. */
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
  const { answerBytesMax, answerTimeout, headBytesMax } = guard.limits
  const bytesMax = headBytesMax + answerBytesMax
  const sent = exchange({ url, method: "POST", headers, body, bytesMax }, guard)
  const [elapsed, answer] = yield* sent.pipe(within(timeout), Effect.timed)
  const remaining = Duration.subtract(timeout, elapsed)
  const beginning = makeBeginning()
  yield* answer
    .drain(answerBytesMax, beginning.add)
    .pipe(Effect.timeoutOption(Duration.min(remaining, answerTimeout)))
  return { status: answer.status, text: beginning.text() }
}, Effect.scoped)

/** Says in the span who is asked: never the path or the query, which may be secrets. */
const noteReceiver = ({ url }: WebhookPost): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    "http.request.method": "POST",
    "server.address": URL.parse(url)?.hostname
  })

const noteStatus = (status: number): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({ "http.response.status_code": status })

/** A `WebhookSender` that reaches public hosts, and the networks that the options allow. */
export const layer = (options: Guard.GuardOptions): Layer.Layer<WebhookSender> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const judge = Guard.make(options)
      const connections = yield* ConnectionPool.make<HttpConnection>(judge.limits.idleConnectionMax)
      const guard = { ...judge, connections }
      return WebhookSender.of({
        post: trace("WebhookSender.post", { kind: "client" })(
          (request: WebhookPost) =>
            Effect.andThen(
              noteReceiver(request),
              Effect.tap(post(request, guard), ({ status }) => noteStatus(status))
            ),
          Effect.mapError(toPortError)
        )
      })
    })
  )
