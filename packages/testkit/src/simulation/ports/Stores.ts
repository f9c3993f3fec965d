/**
 * Gives one process access to the stores. Every call goes over the network and can fail. This also
 * applies to new methods of a port.
 */
import { attemptUnderway, type Job, pendingWork } from "@verbatim/core/job"
import {
  type Commit,
  CorrectionStore,
  CorrectionStoreError,
  JobStore,
  JobStoreError,
  OperatorKeyStore,
  PresetStore,
  PresetStoreError,
  RetentionStore,
  RetentionStoreError,
  type Stores,
  WorkerRegistry,
  WorkerRegistryError,
  WorkQueue,
  WorkQueueError,
  WorkspaceStore,
  WorkspaceStoreError
} from "@verbatim/core/ports"
import { Context, Effect, Exit, Option } from "effect"
import type { FaultName } from "../faults/Faults.ts"
import { claimBy, type Lifetime, lookAtClock } from "../world/Lifetime.ts"
import { currentAttempt, type World } from "../world/World.ts"
import { through } from "./StoreCalls.ts"

/** Creates a port's error for a store that did not respond. */
type Unavailable = (operation: string, cause: string) => unknown

type OperationError = new (given: {
  readonly operation: string
  readonly reason: { readonly _tag: "Unavailable"; readonly cause: string }
}) => unknown

/** Creates the error of a port that has a `reason` field. */
const withReason =
  (PortError: OperationError): Unavailable =>
  (operation, cause) =>
    new PortError({ operation, reason: { _tag: "Unavailable", cause } })

/**
 * Returns the errors that a preset call can get if nothing was written. The store recognises a
 * repeated write, which is therefore never superseded.
 */
const refusalsOf = (
  what: string,
  isRepeat: boolean
): ReadonlyArray<readonly [FaultName, unknown]> => {
  const refusal = (operation: string, tag: "Contended" | "Superseded") =>
    new PresetStoreError({ operation, reason: { _tag: tag } })
  if (what === "PresetStore.append") {
    return [["preset store is contended", refusal("append", "Contended")]]
  }
  return what === "PresetStore.revise" && !isRepeat
    ? [["preset is superseded", refusal("revise", "Superseded")]]
    : []
}

type Method = (...given: ReadonlyArray<unknown>) => unknown

/** Records the effect of each call. */
type Witness = (seen: {
  readonly what: string
  readonly given: ReadonlyArray<unknown>
  readonly exit: Exit.Exit<unknown, unknown>
  readonly isReported: boolean
}) => void

/** A process that reaches a port over the network. */
interface Remote {
  readonly world: World
  readonly lifetime: Lifetime
  readonly name: string
  readonly unavailable: Unavailable
  readonly witness: Witness
}

/** Wraps a service, so that every effect in it goes over the network. */
const remote = <Service extends object>(
  service: Service,
  { lifetime, name, unavailable, witness, world }: Remote
): Service => {
  const written = new WeakSet<object>()
  const call = (operation: string, given: ReadonlyArray<unknown>, result: unknown) => {
    if (!Effect.isEffect(result)) return result
    const what = `${name}.${operation}`
    if (what === "WorkQueue.claim") claimBy(world, lifetime)
    const answer = through(world, lifetime, {
      what,
      effect: result as Effect.Effect<unknown, unknown>,
      unavailable: (cause) => unavailable(operation, cause),
      refusals: () => refusalsOf(what, written.has(Object(given[0]))),
      onEffect: (exit, isReported) => {
        if (Exit.isSuccess(exit)) written.add(Object(given[0]))
        witness({ what, given, exit, isReported })
      }
    })
    if (what !== "JobStore.commit") return answer
    return Effect.flatMap(currentAttempt(world), (attempt) => {
      world.commitAttempts.set(Object(given[0]), attempt)
      return answer
    })
  }
  return new Proxy(service, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key)
      if (typeof key === "symbol") return member
      if (typeof member !== "function" || Effect.isEffect(member)) return call(key, [], member)
      const method = member as Method
      return (...given: ReadonlyArray<unknown>) =>
        call(key, given, method.apply(target, [...given]))
    }
  })
}

/** Records that a process without a listener claimed a notice. */
const recordDeafClaim = (world: World, { actor, listens }: Lifetime, job: Job): void => {
  if (listens || !Option.exists(pendingWork(job), ({ kind }) => kind === "Notify")) return
  world.facts.push({ _tag: "ClaimedWithoutListener", id: job.id, by: actor.name })
}

/** Records the commits and claims for the summary and the auditor. */
const witnessOf = (world: World, lifetime: Lifetime): Witness => {
  const { name } = lifetime.actor
  const onCommit = ({ events, next }: Commit, isDone: boolean) => {
    const tags = events.map(({ _tag, event }) => `${_tag}.${event._tag}`).join(", ")
    world.trace.add(name, `${isDone ? "commits" : "could not commit"} ${tags} of ${next.id}`)
    // The commit of a piece neither begins nor ends an attempt.
    if (!isDone || events.some(({ event }) => event._tag === "PieceRecognised")) return
    const attempt = attemptUnderway(next)
    world.attempts.committed(next.id, {
      by: lifetime.actor,
      isBegun: attempt?.task === "Fetch" || attempt?.task === "Transcribe",
      isGivenBack: tags.includes("AttemptReleased"),
      isAlone: lifetime.hearing.size === 0
    })
    if (attempt === undefined) lifetime.underway.delete(next.id)
    else lifetime.underway.set(next.id, attempt.attempt)
  }
  return ({ exit, given, isReported, what }) => {
    if (what === "JobStore.commit") {
      onCommit(given[0] as Commit, Exit.isSuccess(exit))
    } else if (what === "JobStore.remove" && Exit.isSuccess(exit)) {
      const removed = exit.value as Option.Option<Job>
      if (Option.isSome(removed)) world.trace.add("store", `has deleted ${removed.value.id}`)
    } else if (what === "WorkQueue.claim" && Exit.isSuccess(exit)) {
      if (isReported) lookAtClock(world, lifetime)
      const { jobs: claimed } = exit.value as { readonly jobs: ReadonlyArray<Job> }
      if (claimed.length === 0) return
      for (const job of claimed) recordDeafClaim(world, lifetime, job)
      world.trace.add(name, `claims ${claimed.map(({ id }) => id).join(", ")}`)
    }
  }
}

type Reached = Context.Context<Stores>

/** Puts the network in front of one port. */
const reachPort =
  <Port extends Stores, Service extends object>(
    port: Context.Key<Port, Service>,
    unavailable: Unavailable
  ) =>
  (stores: Reached, given: Omit<Remote, "name" | "unavailable">): Reached => {
    const service: Service = Context.get(stores, port as Context.Key<Stores, Service>)
    const name = port.key.slice(port.key.lastIndexOf("/") + 1)
    return Context.add(stores, port, remote(service, { ...given, name, unavailable }))
  }

/** All stores except the rate limiter's. No key has a limit, so it is never called. */
const ports = [
  reachPort(CorrectionStore, withReason(CorrectionStoreError)),
  reachPort(JobStore, withReason(JobStoreError)),
  reachPort(PresetStore, withReason(PresetStoreError)),
  reachPort(OperatorKeyStore, (operation, cause) => new WorkspaceStoreError({ operation, cause })),
  reachPort(WorkerRegistry, (operation, cause) => new WorkerRegistryError({ operation, cause })),
  reachPort(WorkQueue, (operation, cause) => new WorkQueueError({ operation, cause })),
  reachPort(RetentionStore, (operation, cause) => new RetentionStoreError({ operation, cause })),
  reachPort(WorkspaceStore, (operation, cause) => new WorkspaceStoreError({ operation, cause }))
]

/** Gives one process access to an adapter's stores. */
export const reach = (
  world: World,
  { lifetime, stores }: { readonly lifetime: Lifetime; readonly stores: Reached }
): Reached => {
  const witness = witnessOf(world, lifetime)
  return ports.reduce((reached, port) => port(reached, { world, lifetime, witness }), stores)
}
