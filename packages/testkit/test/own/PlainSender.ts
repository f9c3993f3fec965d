/**
 * A host's own webhook sender, which uses Node's HTTP client. The sender connects to any address,
 * so a host that uses it needs an outbound proxy that checks addresses.
 */
import { request } from "node:http"
import { type WebhookAnswer, WebhookSender, WebhookSenderError } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"

/** Maximum number of bytes to read from a response. */
const answerMax = 65_536

export const layer: Layer.Layer<WebhookSender> = Layer.succeed(WebhookSender, {
  post: ({ body, headers, timeout, url }) =>
    Effect.callback<WebhookAnswer, WebhookSenderError>((resume, signal) => {
      const fail = (cause: Error) =>
        resume(Effect.fail(new WebhookSenderError({ detail: cause.message })))
      const length = { "content-length": Buffer.byteLength(body) }
      const outgoing = request(url, { method: "POST", headers: { ...headers, ...length }, signal })
      outgoing.once("error", fail).once("response", (answer) => {
        let [read, text] = [0, ""]
        answer.on("data", (chunk: Buffer) => {
          read += chunk.length
          if (text === "") text = chunk.toString().slice(0, 2_000)
          if (read > answerMax) answer.destroy()
        })
        answer.once("error", fail)
        answer.once("close", () => resume(Effect.succeed({ status: answer.statusCode ?? 0, text })))
      })
      outgoing.end(body)
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(new WebhookSenderError({ detail: "it took too long" }))
      })
    )
})
