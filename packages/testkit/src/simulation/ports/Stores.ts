/**
 * Gives one process access to the stores. Every call to the adapter goes over the network and can
 * fail. A new port method needs no change here.
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
import { RateLimiter } from "effect/persistence"
import type { FaultName } from "../faults/Faults.ts"
import { claimBy, type Lifetime, lookAtClock } from "../world/Lifetime.ts"
import type { World } from "../world/World.ts"
import { through } from "./StoreCalls.ts"

/** A port's name and errors, which the simulated network needs. */
interface Port {
  readonly name: string
  readonly unavailable: (operation: string, cause: string) => unknown
  /**
   * Returns the possible refusals for an operation, which depend on whether its argument was
   * already written.
   */
  readonly refusals?: (
    operation: string,
    isRepeat: boolean
  ) => ReadonlyArray<readonly [FaultName, unknown]>
}

const jobs: Port = {
  name: "JobStore",
  unavailable: (operation, cause) =>
    new JobStoreError({ operation, reason: { _tag: "Unavailable", cause } })
}

/** Describes a port whose only failure is an unreachable store. */
const makePort = (
  name: string,
  UnavailableError: new (given: { readonly operation: string; readonly cause: string }) => unknown
): Port => ({
  name,
  unavailable: (operation, cause) => new UnavailableError({ operation, cause })
})

const queue = makePort("WorkQueue", WorkQueueError)
const registry = makePort("WorkerRegistry", WorkerRegistryError)
const retention = makePort("RetentionStore", RetentionStoreError)
const workspaces = makePort("WorkspaceStore", WorkspaceStoreError)
const operatorKeys = makePort("OperatorKeyStore", WorkspaceStoreError)

const presets: Port = {
  name: "PresetStore",
  unavailable: (operation, cause) =>
    new PresetStoreError({ operation, reason: { _tag: "Unavailable", cause } }),
  refusals: (operation, isRepeat) => {
    const refusal = (tag: "Contended" | "Superseded") =>
      new PresetStoreError({ operation, reason: { _tag: tag } })
    if (operation === "append") return [["preset store is contended", refusal("Contended")]]
    // The store recognises a repeated write of a successful revision, so it is never superseded.
    return operation === "revise" && !isRepeat
      ? [["preset is superseded", refusal("Superseded")]]
      : []
  }
}

const corrections: Port = {
  name: "CorrectionStore",
  unavailable: (operation, cause) =>
    new CorrectionStoreError({ operation, reason: { _tag: "Unavailable", cause } })
}

type Method = (...given: ReadonlyArray<unknown>) => unknown

/** Records the effect of each call. */
type Witness = (seen: {
  readonly what: string
  readonly given: ReadonlyArray<unknown>
  readonly exit: Exit.Exit<unknown, unknown>
  readonly isReported: boolean
}) => void

/** Wraps a service so that every effect in it goes over the network. */
const remote = <Service extends object>(
  service: Service,
  {
    lifetime,
    port,
    witness,
    world
  }: {
    readonly world: World
    readonly lifetime: Lifetime
    readonly port: Port
    readonly witness: Witness
  }
): Service => {
  const written = new WeakSet<object>()
  const call = (operation: string, given: ReadonlyArray<unknown>, result: unknown) => {
    if (!Effect.isEffect(result)) return result
    const what = `${port.name}.${operation}`
    if (what === "WorkQueue.claim") claimBy(world, lifetime)
    if (what === "JobStore.commit") world.senders.set(Object(given[0]), lifetime.actor.name)
    return through(world, lifetime, {
      what,
      effect: result as Effect.Effect<unknown, unknown>,
      unavailable: (cause) => port.unavailable(operation, cause),
      refusals: () => port.refusals?.(operation, written.has(Object(given[0]))) ?? [],
      onEffect: (exit, isReported) => {
        if (Exit.isSuccess(exit)) written.add(Object(given[0]))
        witness({ what, given, exit, isReported })
      }
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

/** Records the commits and claims that the summary and the auditor need. */
const witnessOf = (world: World, lifetime: Lifetime): Witness => {
  const { name } = lifetime.actor
  const onCommit = ({ events, next }: Commit, isDone: boolean) => {
    const tags = events.map(({ _tag, event }) => `${_tag}.${event._tag}`).join(", ")
    world.trace.add(name, `${isDone ? "commits" : "could not commit"} ${tags} of ${next.id}`)
    // A piece neither begins nor ends an attempt.
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

/** Gives one process access to an adapter's stores. */
export const reach = (
  world: World,
  { lifetime, stores }: { readonly lifetime: Lifetime; readonly stores: Context.Context<Stores> }
): Context.Context<Stores> => {
  const witness = witnessOf(world, lifetime)
  const over = <Service extends object>(service: Service, port: Port) =>
    remote(service, { world, lifetime, port, witness })
  return Context.empty().pipe(
    Context.add(CorrectionStore, over(Context.get(stores, CorrectionStore), corrections)),
    Context.add(JobStore, over(Context.get(stores, JobStore), jobs)),
    Context.add(OperatorKeyStore, over(Context.get(stores, OperatorKeyStore), operatorKeys)),
    Context.add(WorkerRegistry, over(Context.get(stores, WorkerRegistry), registry)),
    Context.add(WorkQueue, over(Context.get(stores, WorkQueue), queue)),
    // This method is never called, because no key has a rate limit.
    Context.add(RateLimiter.RateLimiterStore, Context.get(stores, RateLimiter.RateLimiterStore)),
    Context.add(PresetStore, over(Context.get(stores, PresetStore), presets)),
    Context.add(RetentionStore, over(Context.get(stores, RetentionStore), retention)),
    Context.add(WorkspaceStore, over(Context.get(stores, WorkspaceStore), workspaces))
  )
}
