/** Scripted webhook receivers that record requests. */
import { type WebhookPost, WebhookSender, type WebhookSenderError } from "@verbatim/core/ports"
import { Clock, Context, Effect, Layer } from "effect"

/** A request that arrived at a receiver, with the time of its arrival. */
export interface Received extends WebhookPost {
  readonly atMillis: number
}

/** Returns the response to a receiver's n-th request, counted from 1. */
type Behaviour = (post: WebhookPost, ordinal: number) => Effect.Effect<number, WebhookSenderError>

export class FakeWebhookSender extends Context.Service<
  FakeWebhookSender,
  {
    /** All received webhook requests, in order. */
    readonly received: Effect.Effect<ReadonlyArray<Received>>
    /** Changes the receivers' responses. Default: 200. */
    readonly behave: (behaviour: Behaviour) => Effect.Effect<void>
  }
>()("@verbatim/testkit/fakes/FakeWebhookSender") {
  static readonly layer: Layer.Layer<FakeWebhookSender | WebhookSender> = Layer.effectContext(
    Effect.sync(() => {
      const received: Array<Received> = []
      let behaviour: Behaviour = () => Effect.succeed(200)
      const post = Effect.fnUntraced(function* (request: WebhookPost) {
        received.push({ ...request, atMillis: yield* Clock.currentTimeMillis })
        return { status: yield* behaviour(request, received.length), text: "" }
      })
      return Context.empty().pipe(
        Context.add(WebhookSender, { post }),
        Context.add(FakeWebhookSender, {
          received: Effect.sync(() => [...received]),
          behave: (next) =>
            Effect.sync(() => {
              behaviour = next
            })
        })
      )
    })
  )
}
