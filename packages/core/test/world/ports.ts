/** Changes a deployment's ports, so that tests can count, delay or replace their calls. */
import { type Context, Effect, Layer } from "effect"
import { WorkQueue } from "#src/ports/WorkQueue"

/**
 * Replaces some members of a port. Counters inside `change` restart with each build of the layer.
 */
export const replace = <Port, Service extends object>(
  port: Context.Service<Port, Service>,
  change: (service: Service) => Partial<Service>
): Layer.Layer<Port, never, Port> =>
  Layer.effect(
    port,
    Effect.map(port, (service) => ({ ...service, ...change(service) }))
  )

/** Returns the deployment's queue, and a function that counts its claims. */
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

/** Returns a queue in which each call passes through the function `pass`. */
export const gateQueue = (
  queue: WorkQueue["Service"],
  pass: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
): WorkQueue["Service"] => ({
  claim: (request) => pass(queue.claim(request)),
  renew: (leases) => pass(queue.renew(leases)),
  release: (leases) => pass(queue.release(leases)),
  pendingCounts: pass(queue.pendingCounts)
})

/** Delays the first effect until another one has run; later effects run unchanged. */
export const delayFirst = (wait: Effect.Effect<void>) => {
  let count = 0
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => (count++ === 0 ? Effect.andThen(wait, effect) : effect))
}
