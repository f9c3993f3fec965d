/**
 * Simulates the days after a run. Requests are retried while their keys are valid, old jobs are
 * deleted, unneeded media is collected, and keys expire.
 */

import * as Memory from "@verbatim/adapters/memory"
import { JobId } from "@verbatim/core/attempt"
import { isTerminal, type JobView } from "@verbatim/core/job"
import { CorrectionStore, JobStore, type Stores, WorkspaceStore } from "@verbatim/core/ports"
import { Workspaces } from "@verbatim/core/services"
import { jobIdOf } from "@verbatim/core/transcription"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Clock, Context, DateTime, Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { readLedger } from "../../samples/Stored.ts"
import type { FaultName } from "../faults/Faults.ts"
import * as Fleet from "../processes/Fleet.ts"
import { type FactOf, factsOf, otherDatabase } from "../record/Facts.ts"
import type { JobObserver } from "../record/StoreLog.ts"
import * as ClientCall from "../workload/ClientCall.ts"
import { askJobs, type Clients } from "../workload/Clients.ts"
import { send } from "../workload/Requests.ts"
import type { PlannedRetention } from "../world/Plan.ts"
import type { World } from "../world/World.ts"
import { type Collected, collect, collectAll } from "./FinalState.ts"

/**
 * Time after which requests are retried. Keys are valid for 24 hours, and clocks are wrong by
 * minutes at most.
 */
const before = Duration.hours(23)

/** A failed job's media is kept for seven days. */
const between = Duration.days(7)
const after = Duration.hours(1)

/** Number of requests that are retried. Each retry costs as much as a job. */
const repeatMax = 1

/** Simulates the days after a run, with a new process. */
export const runFollowingDays = Effect.fnUntraced(function* (world: World, given: RetentionWeeks) {
  const { clients, surroundings } = given
  const fleet = Fleet.make(world, ["http"], surroundings)
  const next: Clients = { ...clients, call: ClientCall.make(world, () => fleet) }
  const keyed = [...clients.requests.values()].filter(({ job }) => job.key !== null)
  const [key] = clients.keys
  const old = yield* Effect.forkChild(runRetentionWeeks(world, { ...given, clients: next }))
  const again = Effect.fnUntraced(function* (isOther: boolean) {
    for (const request of keyed.slice(0, repeatMax)) {
      if (key !== undefined) yield* send(next, request, { key, isOther })
    }
  })
  for (const slot of fleet.slots) fleet.start(slot)
  yield* Effect.sleep(before)
  yield* again(false)
  yield* again(true)
  const { isMediaKept: isKept } = given.retention
  yield* Effect.sleep(after)
  yield* Effect.sleep(after)
  yield* startOthers(world, { ...surroundings, isKept })
  yield* Effect.sleep(between)
  yield* Fiber.join(old)
  yield* collectAll(world, { ...surroundings, isKept })
  yield* Effect.sleep(after)
  yield* again(false)
  fleet.retire()
})

/**
 * Starts a process with another database, which must not remove the media. The database is older
 * than every job, so its age does not protect the media.
 */
const start = Effect.fnUntraced(function* (
  world: World,
  { marker, ...given }: Collected & { readonly marker: string | undefined }
) {
  const layer = Layer.provideMerge(Memory.stores, Memory.MemoryDatabase.layer)
  const stores = yield* Layer.build(Layer.fresh(layer))
  Object.assign(Context.get(stores, Memory.MemoryDatabase).media, {
    createdAt: DateTime.makeUnsafe(0),
    marker,
    isCopied: marker !== undefined
  })
  yield* collect(world, { ...given, stores, name: otherDatabase })
}, Effect.scoped)

/** Starts processes with other databases if the seed has this fault. */
const startOthers = Effect.fnUntraced(function* (world: World, given: Collected) {
  const strikes = (name: FaultName) => world.faults.strikes(name, otherDatabase)
  if (strikes("an empty database has the media"))
    yield* start(world, { ...given, marker: undefined })
  if (!strikes("a copied database has the media")) return
  const { databaseIdentity } = Context.get(given.stores, JobStore)
  const mark = yield* Effect.provideService(databaseIdentity, Clock.Clock, world.storeClock)
  const marker = mark.marker._tag === "Some" ? mark.marker.value : undefined
  if (marker !== undefined) yield* start(world, { ...given, marker })
})

// Simulates the days in which old jobs are deleted. Keepers look for old jobs, while faults strike
// and clients request retries and redeliveries. Then the stores are read.

/** The clients, the processes and the stores of the simulated weeks. */
interface RetentionWeeks {
  readonly clients: Clients
  readonly surroundings: Fleet.Surroundings
  readonly id: WorkspaceId
  /** The id of the second workspace. */
  readonly neighbourId: WorkspaceId
  readonly retention: PlannedRetention
  readonly observer: JobObserver
}

/** Returns the longest retention period of a rule in days, or 0 if nothing is deleted. */
const longestDays = ({ rule }: PlannedRetention): number =>
  Math.max(...Object.values(rule).map((days) => days ?? 0))

/** Time until keepers that run without faults have deleted everything that has expired. */
const lull = Duration.hours(3)

const followUpChance = 0.5

/** Puts the retention rule into effect. A server's rule is already a setting of every process. */
const rule = Effect.fnUntraced(function* (
  world: World,
  { id, neighbourId, retention, surroundings }: RetentionWeeks
) {
  world.facts.push({ _tag: "Ruled", at: world.timeline.now(), ...retention.rule })
  if (retention.isServers) return
  const change = (each: WorkspaceId) =>
    Effect.flatMap(Workspaces, (workspaces) => workspaces.change(each, retention.rule))
  yield* Effect.forEach([id, neighbourId], change).pipe(
    Effect.provide(Workspaces.layer),
    Effect.provideContext(surroundings.stores)
  )
})

const seenOf = (view: JobView): FactOf<"LateLook">["seen"] => {
  const isRemoved = view.results_removed_at !== undefined
  if (view.output !== undefined) return isRemoved ? "both" : "output"
  return isRemoved ? "removed" : "no output"
}

/** Reads a job again. */
const lookAt = Effect.fnUntraced(function* (clients: Clients, id: string) {
  const { facts } = clients.world
  const [key] = clients.keys
  if (key === undefined) return
  const { interval, refusal, value } = yield* askJobs(clients, key, (jobs, caller) =>
    jobs.status(caller, id)
  )
  const seen = refusal === "RequestNotFound" ? "not found" : value && seenOf(value)
  if (seen !== undefined) facts.push({ _tag: "LateLook", id, ...interval, seen })
})

/**
 * Upper bounds on the milliseconds between a keeper's read of an old job and a client's request.
 */
const closeMillis = [1, 50, 30_000]

/** Requests a retry or redelivery at a random hour, or just after a keeper has found the job. */
const comeBack = Effect.fnUntraced(function* (
  clients: Clients,
  {
    found,
    id,
    storm
  }: { readonly id: string; readonly found: Effect.Effect<void>; readonly storm: Duration.Duration }
) {
  const { dice, facts } = clients.world
  const [key] = clients.keys
  const chance = dice(`return to ${id}`)
  const sleep = Effect.sleep(Duration.millis(chance.below(Duration.toMillis(storm))))
  if (chance.chance(0.5)) yield* sleep
  else {
    yield* Effect.raceFirst(found, sleep)
    yield* Effect.sleep(Duration.millis(chance.below(chance.pick(closeMillis))))
  }
  if (key === undefined || !chance.chance(followUpChance)) return yield* lookAt(clients, id)
  const followUp = chance.pick(["redeliver", "retry"] as const)
  const { interval, refusal } = yield* askJobs(
    clients,
    key,
    (jobs, caller): Effect.Effect<unknown, unknown> => jobs[followUp](caller, id)
  )
  if (refusal === "no answer") return
  facts.push({ _tag: "LateFollowUp", id, ...interval, answer: refusal || followUp })
  yield* lookAt(clients, id)
})

/** Reads a job's remaining parts from the stores. */
const readLeft = Effect.fnUntraced(function* (
  { timeline }: World,
  { files, stores }: Fleet.Surroundings,
  text: string
) {
  const store = Context.get(stores, JobStore)
  const id = JobId.make(text)
  const present = yield* store.present([id])
  const job = Option.flatten(Option.fromUndefinedOr(present.get(id)))
  const history = yield* store.history(id)
  const transcript = yield* store.transcript(id)
  const body = yield* store.keptBody(id)
  const corrections = yield* Context.get(stores, CorrectionStore).current(id)
  const pieces = yield* store.pieces(id)
  const others = Number(Option.isSome(body)) + Number(Option.isSome(corrections)) + pieces.length
  const summaries = history.flatMap(({ events }) =>
    events.filter(({ event }) => event._tag === "SummaryProduced" && event.text !== "")
  )
  const hasSummary = Option.exists(
    job,
    ({ summary }) => summary?._tag === "Completed" && summary.text !== ""
  )
  const left: FactOf<"Left"> = {
    _tag: "Left",
    id,
    at: timeline.now(),
    isThere: Option.isSome(job),
    isTranscribed: Option.exists(job, ({ transcription }) => transcription._tag === "Transcribed"),
    hasTranscript: Option.isSome(transcript),
    quotes: summaries.length + Number(hasSummary) + others,
    rows: history.length + Number(Option.isSome(transcript)) + others,
    files: [...files.keys()].filter((key) => jobIdOf(key) === id).length
  }
  return left
})

/** Reads the stores and the ledger. */
const readAll = Effect.fnUntraced(function* (world: World, { id, surroundings }: RetentionWeeks) {
  const known = new Set(factsOf(world.facts, "Worked").map((fact) => fact.id))
  for (const each of known) world.facts.push(yield* readLeft(world, surroundings, each))
  const ledger = yield* readLedger(Context.get(surroundings.stores, WorkspaceStore), id)
  world.facts.push({ _tag: "LedgerKept", amounts: ledger.map(({ millis }) => millis) })
})

/** Whether any job has pending work. */
const hasWork = (stores: Context.Context<Stores>, id: WorkspaceId) => {
  const all = { workspaceId: id, status: Option.none(), after: Option.none(), limit: 1_000 }
  return Effect.map(Context.get(stores, JobStore).list(all), (jobs) =>
    jobs.some((job) => !isTerminal(job))
  )
}

const workStep = Duration.seconds(30)
const workMax = 30

/** Advances time until workers have done the requested work. */
const work = Effect.fnUntraced(function* (world: World, { id, surroundings }: RetentionWeeks) {
  if (!(yield* hasWork(surroundings.stores, id))) return
  const fleet = Fleet.make(world, ["worker"], surroundings)
  for (const slot of fleet.slots) fleet.start(slot)
  for (let count = 0; count < workMax; count++) {
    yield* Effect.sleep(workStep)
    if (!(yield* hasWork(surroundings.stores, id))) break
  }
  fleet.retire()
})

/** Starts two processes that delete what has expired. */
const startKeepers = (world: World, surroundings: Fleet.Surroundings): Fleet.Fleet => {
  const keepers = Fleet.make(world, ["keeper", "keeper"], surroundings)
  for (const slot of keepers.slots) keepers.start(slot)
  return keepers
}

/** Runs the simulated weeks. At the end, everything that expired must be deleted. */
const runRetentionWeeks = Effect.fnUntraced(function* (world: World, given: RetentionWeeks) {
  const { clients, retention, surroundings } = given
  const period = Duration.days(longestDays(retention))
  const storm = Duration.sum(period, Duration.days(1))
  const read = Effect.provideService(readAll(world, given), Clock.Clock, world.storeClock)
  yield* rule(world, given)
  world.faults.rage("keeper")
  const keepers = startKeepers(world, surroundings)
  const known = [...clients.requests.keys()]
  const signals = new Map(known.map((id) => [id, Deferred.makeUnsafe<void>()]))
  given.observer.onFound = (id) => {
    const signal = signals.get(id)
    if (signal !== undefined) Deferred.doneUnsafe(signal, Effect.void)
  }
  const returns = [...signals].map(([id, signal]) =>
    comeBack(clients, { id, storm, found: Deferred.await(signal) })
  )
  const calm = Effect.sync(() => {
    world.faults.rage(null)
    keepers.heal()
  }).pipe(Effect.delay(storm))
  yield* Effect.all([...returns, calm], { concurrency: "unbounded", discard: true })
  yield* Effect.sleep(lull)
  const { isMediaKept: isKept } = retention
  const look = Effect.andThen(collect(world, { ...surroundings, isKept }), read)
  yield* look
  yield* work(world, given)
  // Keepers would find nothing to delete before the period ends.
  keepers.retire()
  yield* Effect.sleep(period)
  const lastKeepers = startKeepers(world, surroundings)
  yield* Effect.sleep(lull)
  for (const id of known) yield* lookAt(clients, id)
  yield* look
  lastKeepers.retire()
})
