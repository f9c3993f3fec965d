/** Wraps the queue of a deployment to count claims. */
import { Effect, Layer } from "effect"
import { WorkQueue } from "#src/ports/WorkQueue"

/** The queue of the deployment, and the number of its claims so far. */
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
