/** Webhook receivers on the local machine: real servers for the contract of `WebhookSender`. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { Effect, Layer } from "effect"
import { type Arrived, Receivers } from "../contracts/cases/WebhookSenderCases.ts"
import { listen } from "./FreePort.ts"

/** Real servers on free ports at the loopback address. */
export const layer: Layer.Layer<Receivers> = Layer.succeed(Receivers, {
  open: (manner) =>
    Effect.suspend(() => {
      const arrived: Array<Arrived> = []
      const server = createServer(async (request, response) => {
        const body = await text(request)
        const headers = Object.entries(request.headers).map(([name, value]) => [name, `${value}`])
        const { method = "", url: path = "" } = request
        arrived.push({ method, path, headers: Object.fromEntries(headers), body })
        if (manner._tag === "Closes") request.socket.destroy()
        if (manner._tag === "Answers")
          response.writeHead(manner.status, { ...manner.headers }).end()
      })
      return Effect.map(listen(server), (origin) => ({
        origin,
        arrived: Effect.sync(() => [...arrived])
      }))
    })
})
