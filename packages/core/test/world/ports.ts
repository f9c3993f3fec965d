/** Ports of a deployment, for tests that change, count or delay their calls. */
import { type Context, Effect, Layer } from "effect"
import { WorkQueue } from "#src/ports/WorkQueue"

/** A port with some members replaced. Counters inside the replacements restart with each build. */
export const replace = <Port, Service extends object>(
  port: Context.Service<Port, Service>,
  change: (service: Service) => Partial<Service>
): Layer.Layer<Port, never, Port> =>
  Layer.effect(
    port,
    Effect.map(port, (service) => ({ ...service, ...change(service) }))
  )

/** Returns the deployment's queue, and a counter for its claims. */
export const countClaims = Effect.map(WorkQueue, (queue) => {
  let claims = 0
  const layer = Layer.succeed(WorkQueue, {
    ...queue,
    claim: (request) =>
      Effect.suspend(() => {
        claims += 1
        return queue.claim(request)
      })
  })
  return { claims: () => claims, layer }
})

/** Returns the deployment's queue with a function applied to each call. */
export const gateQueue = (
  queue: WorkQueue["Service"],
  pass: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
): WorkQueue["Service"] => ({
  claim: (request) => pass(queue.claim(request)),
  renew: (leases) => pass(queue.renew(leases)),
  release: (leases) => pass(queue.release(leases)),
  pendingCounts: pass(queue.pendingCounts)
})

/** Runs another effect before the first effect that it receives; later effects run unchanged. */
export const delayFirst = (wait: Effect.Effect<void>) => {
  let count = 0
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => (count++ === 0 ? Effect.andThen(wait, effect) : effect))
}
