/**
 * Applies faults to store calls. A call can be refused, lost, late or repeated, or its caller can
 * die. Every store call goes through this module.
 */
import { Clock, Effect, Exit } from "effect"
import type { FaultName } from "../faults/Faults.ts"
import { freeze, type Lifetime } from "../world/Lifetime.ts"
import { latency, send } from "../world/Network.ts"
import type { World } from "../world/World.ts"

/** A store call on which faults can act. */
export interface StoreCall<A, E> {
  /** The operation, for example `JobStore.commit`. */
  readonly what: string
  readonly effect: Effect.Effect<A, E>
  /** Creates the port's error for a store that did not respond. */
  readonly unavailable: (cause: string) => E
  /** Other errors that the port allows if nothing was written. */
  readonly refusals?: () => ReadonlyArray<readonly [FaultName, E]>
  readonly onEffect: (exit: Exit.Exit<A, E>, isReported: boolean) => void
}

/**
 * Maximum delay of a late call. It is longer than a worker's timeout for a claim, and shorter than
 * that for a commit.
 */
const slowMaxMillis = 9_000

/** A worker's timeout for a claim. */
const claimPatienceMillis = 5_000

/** The shortest and longest pause of a process, below and above the duration of a lease. */
const pauseMinMillis = 20_000
const pauseMaxMillis = 50_000

/** Share of claims in which a process cannot crash or pause. */
const idleChance = 0.95

/** Wraps a call so that network and store faults can affect it. */
export const through = <A, E>(
  world: World,
  lifetime: Lifetime,
  original: StoreCall<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const { actor } = lifetime
    const { faults, network, storeClock, timeline } = world
    const call = {
      ...original,
      effect: Effect.provideService(original.effect, Clock.Clock, storeClock)
    }
    const { what } = call
    if (actor.status === "Dead") return Effect.never
    // Most claims find nothing, so a crash during a claim rarely shows anything.
    const isIdle = what === "WorkQueue.claim" && network.chance(idleChance)
    const isRenewal = what === "WorkQueue.renew"
    const strikes = (name: FaultName) =>
      !(isIdle && name.startsWith("process")) && faults.strikes(name, actor.name, what)
    const sent = (effect: Effect.Effect<A, E>) =>
      send(world, actor, {
        what,
        effect,
        outwardMillis: latency(network),
        homewardMillis: latency(network),
        answer: (exit) => exit
      })

    if (strikes("process crashes before a call")) {
      lifetime.crash(`before ${what}`)
      return Effect.never
    }
    if (!faults.isCalm() && timeline.now() < world.outageUntil) {
      return sent(network.chance(0.5) ? Effect.fail(call.unavailable("an outage")) : Effect.never)
    }
    if (strikes(isRenewal ? "renewal fails" : "store refuses"))
      return sent(Effect.fail(call.unavailable("it is refused")))
    if (strikes("store hangs")) return sent(Effect.never)
    for (const [name, error] of call.refusals?.() ?? []) {
      if (strikes(name)) return sent(Effect.fail(error))
    }
    const isFrozen = strikes("process pauses before a call")
    if (isFrozen) freeze(world, lifetime, network.between(pauseMinMillis, pauseMaxMillis))
    const going = send(world, actor, makeTroubled(world, lifetime, { call, strikes }))
    return isFrozen ? Effect.andThen(nextTurn(world, lifetime), going) : going
  })

/** Waits for the process's next step, because the process may be paused. */
const nextTurn = ({ timeline }: World, { actor }: Lifetime) =>
  Effect.callback<void>((resume) => timeline.enqueue(actor, () => resume(Effect.void)))

/** Makes a call that takes effect, perhaps late or twice. Its response may be lost. */
const makeTroubled = <A, E>(
  world: World,
  lifetime: Lifetime,
  {
    call,
    strikes
  }: {
    readonly call: StoreCall<A, E>
    readonly strikes: (name: FaultName) => boolean
  }
) => {
  const { network } = world
  const isTwice = strikes("store is called twice")
  const isRenewal = call.what === "WorkQueue.renew"
  const late = isRenewal ? "renewal is answered late" : "store is slow"
  const slowMillis = strikes(late) ? network.between(1, slowMaxMillis) : 0
  const isOutward = slowMillis > 0 && !isRenewal && network.chance(0.5)
  const isUnanswered = strikes("store hangs after writing")
  const isLost = !isUnanswered && strikes("store loses its answer")
  const isLast = strikes("process crashes after a call")
  const homewardMillis = latency(network) + (isOutward ? 0 : slowMillis)
  let first: Exit.Exit<A, E> | undefined
  const note = (exit: Exit.Exit<A, E>) => {
    first = exit
  }
  const twice = Effect.andThen(Effect.map(Effect.exit(call.effect), note), call.effect)
  return {
    what: call.what,
    effect: isTwice ? twice : call.effect,
    outwardMillis: latency(network) + (isOutward ? slowMillis : 0),
    homewardMillis,
    onEffect: (exit: Exit.Exit<A, E>) => {
      const isReported =
        !isUnanswered &&
        !isLost &&
        !isLast &&
        lifetime.actor.status !== "Dead" &&
        homewardMillis < claimPatienceMillis
      // A refused repeat does not undo the first call.
      const done = first !== undefined && Exit.isSuccess(first) ? first : exit
      call.onEffect(Exit.isFailure(exit) ? done : exit, isReported)
      if (isLast) lifetime.crash(`after ${call.what}`)
    },
    answer: (exit: Exit.Exit<A, E>) => {
      if (isUnanswered) return null
      return isLost ? Exit.fail(call.unavailable("the answer is lost")) : exit
    }
  }
}
