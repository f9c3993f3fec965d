/**
 * Calls a process as a client does, over the network and with a timeout. A process that dies does
 * not respond. A process interrupts the request of a client that leaves.
 */
import { Context, Effect, Exit, type Fiber } from "effect"
import type { Front } from "../processes/Composition.ts"
import type { Fleet } from "../processes/Fleet.ts"
import { latency } from "../world/Network.ts"
import type { World } from "../world/World.ts"

/** The response to a client, or null if there is none. */
export type Answer<A, E> = Exit.Exit<A, E> | null

/** Calls any process, within the client's timeout. */
export type ClientCall = <A, E>(
  operation: Effect.Effect<A, E, Front>,
  timeoutMillis?: number
) => Effect.Effect<Answer<A, E>>

/** The timeout that most clients use. */
export const usualTimeoutMillis = 20_000

/** Calls any process in a fleet that currently accepts calls. */
export const make =
  (world: World, fleet: () => Fleet): ClientCall =>
  <A, E>(operation: Effect.Effect<A, E, Front>, timeoutMillis = usualTimeoutMillis) =>
    Effect.callback<Answer<A, E>>((resume) => {
      const { network, outside, timeline } = world
      const open = fleet().slots.filter(({ front }) => front !== null)
      const slot = open.length === 0 ? undefined : network.pick(open)
      const lifetime = slot?.lifetime
      const front = slot?.front
      let isSettled = false
      const settle = (answer: Answer<A, E>) => {
        if (isSettled) return
        isSettled = true
        timeline.enqueue(outside, () => resume(Effect.succeed(answer)))
      }
      if (lifetime === undefined || lifetime === null || front === undefined || front === null) {
        timeline.after(outside, latency(network) + 1, () => settle(null))
        return
      }
      let fiber: Fiber.Fiber<A, E> | undefined
      const services = mergeContexts(lifetime.context, front)
      const begin = () => {
        if (isSettled) return
        fiber = Effect.runForkWith(services)(operation)
        fiber.addObserver((exit) => {
          if (isSettled) return
          if (Exit.isFailure(exit) && Exit.hasDies(exit)) {
            world.facts.push({
              _tag: "Defect",
              by: lifetime.actor.name,
              what: String(exit.cause)
            })
          }
          timeline.after(outside, latency(network), () => settle(exit))
        })
      }
      timeline.after(outside, latency(network), () => timeline.enqueue(lifetime.actor, begin))
      timeline.after(outside, timeoutMillis, () => {
        settle(null)
        timeline.enqueue(lifetime.actor, () => fiber?.interruptUnsafe())
      })
    })

const mergeContexts = <A, B>(platform: Context.Context<A>, front: Context.Context<B>) =>
  // The platform includes the process's scheduler and clock.
  Context.merge(front, platform)
