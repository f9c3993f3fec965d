/**
 * The stores as one process sees them: the adapter's, every call of which goes over the network and
 * can fail. Methods that a port gains later are covered without a change here.
 */
import { attemptUnderway, isTerminal, type Job, owedWork } from "@verbatim/core/job"
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
import type { FaultName } from "../faults/FaultCatalogue.ts"
import { claimBy, type Life, lookAtClock } from "../world/Life.ts"
import type { World } from "../world/World.ts"
import { through } from "./StoreCalls.ts"

/** What is special about one port. */
interface Port {
  readonly name: string
  readonly unavailable: (operation: string, cause: string) => unknown
  /** Refusals by the operation, and by whether its argument was written before. */
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

/** A port whose only failure is that it cannot be reached. */
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
    // A revision that was made supersedes itself, and the store knows it again.
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

/** Is called with what took effect, for the record. */
type Witness = (seen: {
  readonly what: string
  readonly given: ReadonlyArray<unknown>
  readonly exit: Exit.Exit<unknown, unknown>
  readonly isTold: boolean
}) => void

/** The same service, with every effect in it sent over the network. */
const remote = <Service extends object>(
  service: Service,
  {
    life,
    port,
    witness,
    world
  }: {
    readonly world: World
    readonly life: Life
    readonly port: Port
    readonly witness: Witness
  }
): Service => {
  const written = new WeakSet<object>()
  const call = (operation: string, given: ReadonlyArray<unknown>, result: unknown) => {
    if (!Effect.isEffect(result)) return result
    const what = `${port.name}.${operation}`
    if (what === "WorkQueue.claim") claimBy(world, life)
    return through(world, life, {
      what,
      effect: result as Effect.Effect<unknown, unknown>,
      unavailable: (cause) => port.unavailable(operation, cause),
      refusals: () => port.refusals?.(operation, written.has(Object(given[0]))) ?? [],
      onEffect: (exit, isTold) => {
        if (Exit.isSuccess(exit)) written.add(Object(given[0]))
        witness({ what, given, exit, isTold })
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

/** In which state a job was deleted. */
const markRemoval = (world: World, job: Job): void => {
  world.trace.add("store", `has deleted ${job.id}`)
  const task = attemptUnderway(job)?.task
  if (task === "Fetch") world.mark("a job was deleted while its media was fetched")
  if (task === "Transcribe") world.mark("a job was deleted while an engine worked on it")
  if (task === "Summarize") world.mark("a job was deleted while it was summarised")
  if (task === "Deliver") world.mark("a job was deleted while its webhook was sent")
  if (task === "Notify") world.mark("a job was deleted while its listener was called")
  if (isTerminal(job)) world.mark("a job was deleted after its end")
  if (task === undefined && !isTerminal(job)) world.mark("a job was deleted while it waited")
}

/** Notes who takes a notice that it cannot give. */
const noteDeaf = (world: World, { actor, listens }: Life, job: Job): void => {
  if (listens || !Option.exists(owedWork(job), ({ kind }) => kind === "Notify")) return
  world.facts.push({ _tag: "DeafTook", id: job.id, by: actor.name })
}

/** Keeps what the summary tells about commits and claims. */
const witnessOf = (world: World, life: Life): Witness => {
  const written = new Set<string>()
  const unsettled = new Set<string>()
  const { name } = life.actor
  const onCommit = ({ events, next, token }: Commit, isDone: boolean, isTold: boolean) => {
    const entry = `${next.id} ${next.revision} ${Option.getOrElse(token, () => "")}`
    const tags = events.map(({ _tag, event }) => `${_tag}.${event._tag}`).join(", ")
    world.trace.add(name, `${isDone ? "commits" : "could not commit"} ${tags} of ${next.id}`)
    if (!isDone) {
      if (!written.has(entry)) world.mark("a lease lapsed and the worker committed late")
      return
    }
    written.add(entry)
    if (!isTold) unsettled.add(next.id)
    if (tags.includes("AttemptReleased")) world.mark("a stop gave running work back")
    const attempt = attemptUnderway(next)
    world.tries.committed(next.id, {
      by: life.actor,
      isBegun: attempt?.task === "Fetch" || attempt?.task === "Transcribe",
      isGivenBack: tags.includes("AttemptReleased"),
      isAlone: life.hearing.size === 0
    })
    if (attempt === undefined) life.underway.delete(next.id)
    else life.underway.set(next.id, attempt.attempt)
  }
  return ({ exit, given, isTold, what }) => {
    if (what === "JobStore.commit") {
      onCommit(given[0] as Commit, Exit.isSuccess(exit), isTold)
    } else if (what === "JobStore.history" && isTold && unsettled.delete(String(given[0]))) {
      world.mark("the answer to a commit was lost and the history settled it")
    } else if (what === "JobStore.remove" && Exit.isSuccess(exit)) {
      const removed = exit.value as Option.Option<Job>
      if (Option.isSome(removed)) markRemoval(world, removed.value)
    } else if (what === "WorkQueue.claim" && Exit.isSuccess(exit)) {
      if (isTold) lookAtClock(world, life)
      const { jobs: claimed } = exit.value as { readonly jobs: ReadonlyArray<Job> }
      if (claimed.length === 0) return
      for (const job of claimed) noteDeaf(world, life, job)
      world.trace.add(name, `claims ${claimed.map(({ id }) => id).join(", ")}`)
      if (!isTold) world.mark("jobs were leased and nobody was told")
    }
  }
}

/** The stores of an adapter, as a process reaches them. */
export const reach = (
  world: World,
  { life, stores }: { readonly life: Life; readonly stores: Context.Context<Stores> }
): Context.Context<Stores> => {
  const witness = witnessOf(world, life)
  const over = <Service extends object>(service: Service, port: Port) =>
    remote(service, { world, life, port, witness })
  return Context.empty().pipe(
    Context.add(CorrectionStore, over(Context.get(stores, CorrectionStore), corrections)),
    Context.add(JobStore, over(Context.get(stores, JobStore), jobs)),
    Context.add(OperatorKeyStore, over(Context.get(stores, OperatorKeyStore), operatorKeys)),
    Context.add(WorkerRegistry, over(Context.get(stores, WorkerRegistry), registry)),
    Context.add(WorkQueue, over(Context.get(stores, WorkQueue), queue)),
    // Nobody has a limit there, so it is asked nothing.
    Context.add(RateLimiter.RateLimiterStore, Context.get(stores, RateLimiter.RateLimiterStore)),
    Context.add(PresetStore, over(Context.get(stores, PresetStore), presets)),
    Context.add(RetentionStore, over(Context.get(stores, RetentionStore), retention)),
    Context.add(WorkspaceStore, over(Context.get(stores, WorkspaceStore), workspaces))
  )
}
