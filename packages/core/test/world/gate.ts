/** Ports whose answers all pass through a function first. */
import type { Effect } from "effect"
import type { WorkQueue } from "#src/ports/WorkQueue"

/** The queue, behind a gate. */
export const gateQueue = (
  queue: WorkQueue["Service"],
  pass: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
): WorkQueue["Service"] => ({
  claim: (request) => pass(queue.claim(request)),
  renew: (leases) => pass(queue.renew(leases)),
  release: (leases) => pass(queue.release(leases)),
  pendingCounts: pass(queue.pendingCounts)
})
