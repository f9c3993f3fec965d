/**
 * A sender of webhooks of a host's own, over Node's client. It goes wherever it is sent: a host
 * that uses one like it has a proxy on the way out that judges addresses.
 */
import { request } from "node:http"
import { type WebhookAnswer, WebhookSender, WebhookSenderError } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"

/** As much of an answer as is read. */
const answerMax = 65_536

export const layer: Layer.Layer<WebhookSender> = Layer.succeed(WebhookSender, {
  post: ({ body, headers, timeout, url }) =>
    Effect.callback<WebhookAnswer, WebhookSenderError>((resume, signal) => {
      const fail = (cause: Error) =>
        resume(Effect.fail(new WebhookSenderError({ detail: cause.message })))
      const length = { "content-length": Buffer.byteLength(body) }
      const asked = request(url, { method: "POST", headers: { ...headers, ...length }, signal })
      asked.once("error", fail).once("response", (answer) => {
        let [read, text] = [0, ""]
        answer.on("data", (chunk: Buffer) => {
          read += chunk.length
          if (text === "") text = chunk.toString().slice(0, 2_000)
          if (read > answerMax) answer.destroy()
        })
        answer.once("error", fail)
        answer.once("close", () => resume(Effect.succeed({ status: answer.statusCode ?? 0, text })))
      })
      asked.end(body)
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(new WebhookSenderError({ detail: "it took too long" }))
      })
    )
})
