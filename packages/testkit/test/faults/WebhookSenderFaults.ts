/**
 * Senders with faults, and receivers on this machine for them.
 */

import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import * as Net from "@verbatim/adapters/net"
import * as Networks from "@verbatim/core/outbound"
import { WebhookSender } from "@verbatim/core/ports"
import { Effect, Layer, Result } from "effect"
import { type Arrived, type Manner, Receivers } from "#src/contracts/cases/WebhookSenderCases"
import { listen } from "#src/servers/FreePort"
import { listFaults } from "./Fault.ts"

type Ports = WebhookSender | Receivers

const serverOf = (manner: Manner, arrived: Array<Arrived>) =>
  createServer(async (request, response) => {
    const body = await text(request)
    const headers = Object.entries(request.headers).map(([name, value]) => [name, `${value}`])
    const { method = "", url: path = "" } = request
    arrived.push({ method, path, headers: Object.fromEntries(headers), body })
    if (manner._tag === "Closes") request.socket.destroy()
    if (manner._tag === "Answers") response.writeHead(manner.status, { ...manner.headers }).end()
  })

const receivers = Layer.succeed(Receivers, {
  open: (manner) =>
    Effect.suspend(() => {
      const arrived: Array<Arrived> = []
      const server = serverOf(manner, arrived)
      return Effect.map(listen(server), (origin) => ({
        origin,
        arrived: Effect.sync(() => [...arrived])
      }))
    })
})

const allowNetworks = Result.getOrThrow(Networks.fromText("127.0.0.0/8"))

const soundWebhookSender: Layer.Layer<Ports> = Layer.merge(
  Net.GuardedWebhookSender.layer({ allowNetworks }),
  receivers
)

type Post = WebhookSender["Service"]["post"]

const sending = (change: (post: Post) => Post): Layer.Layer<Ports> =>
  Layer.effect(
    WebhookSender,
    Effect.map(WebhookSender, ({ post }) => ({ post: change(post) }))
  ).pipe(Layer.provideMerge(soundWebhookSender))

export const webhookSenderFaults = listFaults<Ports>({
  // Reads the path anew.
  "sends one POST with its path, its headers and its body, and nothing else": sending(
    (post) => (request) => post({ ...request, url: decodeURI(request.url).trim() })
  ),
  // Follows redirects.
  "follows no redirect": sending(
    () => (request) =>
      Effect.promise(() =>
        fetch(request.url, { method: "POST", body: request.body }).then(({ status }) => ({
          status,
          text: ""
        }))
      )
  ),
  // Tries again when a receiver is busy.
  "answers with the receiver's status, whatever it is, and repeats nothing": sending(
    (post) => (request) =>
      Effect.flatMap(post(request), (answer) =>
        answer.status === 503 ? post(request) : Effect.succeed(answer)
      )
  ),
  // Tries again when a connection breaks.
  "fails when the receiver closes without an answer, and sends nothing again": sending(
    (post) => (request) => Effect.retry(post(request), { times: 1 })
  ),
  // Takes silence for success.
  "ends within its time when the receiver says nothing": sending(
    (post) => (request) => Effect.orElseSucceed(post(request), () => ({ status: 200, text: "" }))
  )
})
