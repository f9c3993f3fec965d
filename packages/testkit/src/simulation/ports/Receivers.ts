/** Simulated webhook receivers, which record every request and respond to most of them. */
import { type WebhookPost, type WebhookSender, WebhookSenderError } from "@verbatim/core/ports"
import { Duration, Effect } from "effect"
import type { FaultName } from "../faults/Faults.ts"
import type { Lifetime } from "../world/Lifetime.ts"
import { latency, send } from "../world/Network.ts"
import type { World } from "../world/World.ts"

/** Returns a callback URL that ends with the job's marker. */
export const callbackUrl = (origin: number, marker: string): string =>
  `https://receiver-${origin}.example/hook/${marker}`

const markerOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1)

const makeError = (detail: string) => new WebhookSenderError({ detail })

/** Age in milliseconds at which a clock check is outdated. */
const freshMillis = 1_000

/** Maximum delay of a response, shorter than a sender's timeout. */
const dripMaxMillis = 25_000

const refusals = [500, 503, 404, 410, 429, 199]

/** Runs after a receiver has recorded a request, for example to read the job. */
export type OnReceipt = (marker: string) => Effect.Effect<void>

interface Receipt {
  readonly post: WebhookPost
  readonly wasFrozen: boolean
  readonly onReceipt: OnReceipt
}

/** Handles a received request. Returns the response's status, or none to send no response. */
const receive = Effect.fnUntraced(function* (
  { faults, facts, network, timeline, trace }: World,
  { onReceipt, post, wasFrozen }: Receipt
) {
  const marker = markerOf(post.url)
  const strikes = (fault: FaultName) => faults.strikes(fault, "receiver", marker)
  const at = timeline.now()
  if (strikes("receiver calls back")) yield* onReceipt(marker)
  const isSilent = strikes("receiver times out")
  const isReset = strikes("receiver resets after")
  const isRefusal = strikes("receiver refuses")
  const status = isRefusal ? network.pick(refusals) : strikes("receiver redirects") ? 302 : 200
  const answered = isSilent || isReset ? null : status
  trace.add("receiver", `gets ${marker} and answers ${answered ?? "nothing"}`)
  facts.push({
    _tag: "Received",
    marker,
    webhookId: post.headers["webhook-id"] ?? "",
    body: post.body,
    at,
    status: answered,
    wasFrozen
  })
  if (isSilent) return yield* Effect.never
  if (strikes("receiver drips")) {
    yield* Effect.sleep(Duration.millis(network.between(1_000, dripMaxMillis)))
  }
  return isReset ? yield* makeError("the connection was reset") : { status, text: "" }
})

/** Creates the receivers' client for one process. */
export const make = (
  world: World,
  { lifetime, onReceipt }: { readonly lifetime: Lifetime; readonly onReceipt: OnReceipt }
): WebhookSender["Service"] => {
  const { faults, network, timeline } = world
  const { name } = lifetime.actor
  return {
    post: (post) =>
      Effect.suspend(() => {
        if (lifetime.actor.status === "Dead") return Effect.never
        if (faults.strikes("process crashes before a call", name, "WebhookSender.post")) {
          lifetime.crash("before a POST")
          return Effect.never
        }
        const isUnsent = faults.strikes("receiver resets before", name)
        const wasFrozen =
          timeline.now() - lifetime.resumedAt < freshMillis || timeline.now() < lifetime.misledUntil
        return send(world, lifetime.actor, {
          what: "WebhookSender.post",
          effect: isUnsent
            ? Effect.fail(makeError("the connection was reset"))
            : receive(world, { onReceipt, post, wasFrozen }),
          outwardMillis: latency(network),
          homewardMillis: latency(network),
          onEffect: () => {
            if (faults.strikes("process crashes after a call", name, "WebhookSender.post")) {
              lifetime.crash("after a POST")
            }
          },
          answer: (exit) => exit
        })
      }).pipe(
        Effect.timeoutOrElse({
          duration: post.timeout,
          orElse: () => Effect.fail(makeError("no answer in time"))
        })
      )
  }
}
