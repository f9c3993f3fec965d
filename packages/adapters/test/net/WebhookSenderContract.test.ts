import { GuardedWebhookSender } from "@verbatim/adapters/net"
import { type Arrived, Receivers, WebhookSenderContract } from "@verbatim/testkit/contracts"
import { Effect, Layer } from "effect"
import { allow } from "./Fetching.ts"
import { answer, listen } from "./LoopbackServer.ts"

const parsed = (request: string): Arrived => {
  const end = request.indexOf("\r\n\r\n")
  const [first = "", ...lines] = request.slice(0, end).split("\r\n")
  const [method = "", path = ""] = first.split(" ")
  const headers = lines.map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { method, path, headers: Object.fromEntries(headers), body: request.slice(end + 4) }
}

const receivers = Layer.succeed(Receivers, {
  open: (manner) =>
    listen({
      onRequest: (socket) => {
        if (manner._tag === "Closes") socket.destroy()
        if (manner._tag === "Answers") {
          socket.end(answer(manner.status, { headers: { ...manner.headers } }))
        }
      }
    }).pipe(
      Effect.map(({ origin, received }) => ({
        origin,
        arrived: Effect.sync(() => received.filter((text) => text !== "").map(parsed))
      }))
    )
})

WebhookSenderContract.suite(
  "guarded, over real sockets",
  Layer.merge(GuardedWebhookSender.layer({ allowedNetworks: allow("127.0.0.0/8") }), receivers)
)
