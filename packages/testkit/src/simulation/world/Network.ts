/**
 * Sends a call from one actor to another, and its response back. The caller can die or leave at any
 * time, after which a message in transit may still arrive or be lost.
 */
import { Effect, type Exit } from "effect"
import type { Dice } from "../clock/Seed.ts"
import type { Actor } from "../clock/Timeline.ts"
import type { Flight, World } from "./World.ts"

/** A call, and its handling by the network. */
export interface Call<A, E> {
  readonly what: string
  readonly effect: Effect.Effect<A, E>
  readonly outwardMillis: number
  readonly homewardMillis: number
  /** Returns the response for the caller, or null if the caller never gets one. */
  readonly answer: (exit: Exit.Exit<A, E>) => Exit.Exit<A, E> | null
  /** Runs after the call has taken effect and before the response is sent. */
  readonly onEffect?: (exit: Exit.Exit<A, E>) => void
}

/** Returns a latency: 0 for most calls and a few milliseconds for the others. */
export const latency = (chance: Dice): number => (chance.chance(0.7) ? 0 : chance.between(1, 20))

/** Sends a call on behalf of an actor. */
export const send = <A, E>(world: World, owner: Actor, call: Call<A, E>): Effect.Effect<A, E> =>
  Effect.callback<A, E>((resume) => {
    const { outside, timeline } = world
    const flight: Flight = { owner, what: call.what, since: timeline.now() }
    const isPersistent = world.network.chance(0.5)
    let isAbandoned = false
    world.flights.add(flight)

    const settle = (exit: Exit.Exit<A, E>) => {
      const answer = call.answer(exit)
      if (answer === null) return
      timeline.after(outside, call.homewardMillis, () =>
        timeline.enqueue(owner, () => {
          world.flights.delete(flight)
          resume(answer)
        })
      )
    }
    const arrive = () => {
      const isDead = owner.status === "Dead"
      if ((isDead || isAbandoned) && !isPersistent) return
      const fiber = Effect.runForkWith(world.outsideContext)(call.effect)
      fiber.addObserver((exit) => {
        call.onEffect?.(exit)
        settle(exit)
      })
    }
    timeline.after(outside, call.outwardMillis, arrive)
    return Effect.sync(() => {
      isAbandoned = true
      world.flights.delete(flight)
    })
  })
