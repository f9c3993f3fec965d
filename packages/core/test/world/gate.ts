/** A port with a function applied to each of its calls. */
import type { Effect } from "effect"
import type { WorkQueue } from "#src/ports/WorkQueue"

/** The queue, with a function applied to each of its calls. */
export const gateQueue = (
  queue: WorkQueue["Service"],
  pass: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
): WorkQueue["Service"] => ({
  claim: (request) => pass(queue.claim(request)),
  renew: (leases) => pass(queue.renew(leases)),
  release: (leases) => pass(queue.release(leases)),
  pendingCounts: pass(queue.pendingCounts)
})
