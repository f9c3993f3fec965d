/**
 * Waits until all notices have ended, which no client does. Then reads the final state from the
 * stores, and the media that remains a day later.
 */

import { JobId } from "@verbatim/core/attempt"
import {
  isFinished,
  isTerminal,
  type Job,
  type JobView,
  MediaRetention,
  toView
} from "@verbatim/core/job"
import {
  CorrectionStore,
  JobStore,
  MediaStore,
  PresetStore,
  type Stores,
  WorkerRegistry,
  WorkspaceStore
} from "@verbatim/core/ports"
import { PresetId } from "@verbatim/core/preset"
import { MediaIdentity } from "@verbatim/core/services"
import { jobIdOf } from "@verbatim/core/transcription"
import { MediaCollection } from "@verbatim/core/worker"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Clock, Context, Duration, Effect, Option } from "effect"
import { readKept } from "../../model/PresetCommands.ts"
import { format } from "../../model/PresetModel.ts"
import { readLedger } from "../../samples/Stored.ts"
import { type Files, store as mediaStore } from "../ports/Media.ts"
import { type Entry, type FactOf, factsOf } from "../record/Facts.ts"
import { slugs } from "../workload/PresetClients.ts"
import * as Lifetime from "../world/Lifetime.ts"
import { toLines } from "../world/Speech.ts"
import type { World } from "../world/World.ts"

/** A call that a live process has not answered for this long seems to have no deadline. */
const deadlineMillis = 240_000

/** The workspaces to read, and their stores. */
export interface Books {
  readonly stores: Context.Context<Stores>
  readonly id: WorkspaceId
  /** The id of the second workspace. */
  readonly neighbourId: WorkspaceId
}

/** More jobs than any run creates. */
const jobMax = 1_000

/** Returns the audited fields of a stored job. */
const entryOf = ({ callback_id = "", id, status }: JobView): Entry => ({
  id,
  status,
  marker: /^m\d+$/.test(callback_id) ? callback_id : null
})

/** Whether a notice is pending. Clients do not wait for notices. */
const isNoticePending = ({ notice }: Job): boolean =>
  notice?._tag === "Waiting" || notice?._tag === "Calling"

/** Lists the jobs in both workspaces. */
const listJobs = Effect.fnUntraced(function* ({ id, neighbourId, stores }: Books) {
  const store = Context.get(stores, JobStore)
  const all = { status: Option.none(), after: Option.none(), limit: jobMax }
  const lists = [id, neighbourId].map((workspaceId) => store.list({ workspaceId, ...all }))
  return (yield* Effect.all(lists)).flat()
})

/** Reads the counted pieces and the transcript of each job. */
const readPieces = Effect.fnUntraced(function* (world: World, books: Books) {
  const store = Context.get(books.stores, JobStore)
  for (const { id } of yield* listJobs(books)) {
    const history = yield* store.history(id)
    const transcript = Option.map(yield* store.transcript(id), ({ language, segments }) => ({
      language,
      said: toLines(segments)
    }))
    const counted = history.flatMap(({ events }) =>
      events.flatMap(({ event }) => (event._tag === "PieceRecognised" ? [event] : []))
    )
    world.facts.push({ _tag: "PiecesRead", id, counted, transcript: Option.getOrNull(transcript) })
  }
})

/** Reads all jobs, their pending work and the workers. */
const readJobs = Effect.fnUntraced(function* (world: World, books: Books) {
  const { facts, spans } = world
  const { stores } = books
  const jobs = yield* listJobs(books)
  const { backlog } = yield* Context.get(stores, WorkerRegistry).survey
  const shown = { balanceMillis: 0, transcript: Option.none() }
  const views = jobs.map((job) => toView(job, shown))
  const isUnfinished = (job: Job) => !isFinished(toView(job, shown)) || isNoticePending(job)
  facts.push({
    _tag: "Stored",
    entries: views.map(entryOf),
    unfinished: jobs.filter(isUnfinished).length,
    pending: backlog.reduce((sum, { due, later, leased }) => sum + due + later + leased, 0)
  })
  facts.push({ _tag: "Surveyed", spans: spans.map((span) => ({ ...span })) })
})

/** More versions than any run creates. */
const page = { offset: 0, limit: 1_000 }

/** Number of rows per sweep. It is low, so that several sweeps are needed. */
const sweepMax = 3

/** Reads presets from the stores, and the remaining rows of removed presets. */
const readPresets = Effect.fnUntraced(function* (
  { facts, timeline }: World,
  { id, stores }: Books
) {
  const store = Context.get(stores, PresetStore)
  for (const slug of slugs) {
    const kept = yield* Effect.provideContext(readKept(id, slug), stores)
    const answer = format.kept(kept)
    facts.push({ _tag: "PresetKept", slug, at: timeline.now(), answer })
  }
  yield* store.sweep(sweepMax).pipe(Effect.repeat({ while: (hasMore) => hasMore }))
  const removed = factsOf(facts, "PresetCalled").flatMap(({ removed }) => removed ?? [])
  for (const gone of new Set(removed)) {
    const presetId = PresetId.make(gone)
    const lists = [store.versions(presetId, page), store.designations(presetId, page)]
    const rows = (yield* Effect.all(lists)).flat().length
    if (rows > 0) facts.push({ _tag: "PresetLeft", id: gone, rows })
  }
})

/** Reads the ledgers of both workspaces. */
const readLedgers = Effect.fnUntraced(function* (
  { facts }: World,
  { id, neighbourId, stores }: Books
) {
  const store = Context.get(stores, WorkspaceStore)
  for (const each of [id, neighbourId]) {
    const { balanceMillis } = yield* Effect.flatMap(store.account(each), Effect.fromOption)
    const amounts = (yield* readLedger(store, each)).map(({ millis }) => millis)
    facts.push({ _tag: "LedgerRead", isNeighbours: each === neighbourId, balanceMillis, amounts })
  }
})

/** Reads the whole final state, part by part. */
const readAll = Effect.fnUntraced(function* (world: World, books: Books) {
  const { flights, facts, timeline } = world
  const { stores } = books
  yield* readJobs(world, books)
  yield* readPieces(world, books)
  yield* readLedgers(world, books)
  yield* readPresets(world, books)
  yield* readCorrections(world, stores)
  for (const { owner, since, what } of flights) {
    const sinceMillis = timeline.now() - since
    if (owner.status === "Running" && sinceMillis > deadlineMillis) {
      facts.push({ _tag: "StillWaiting", what: `${owner.name}: ${what}`, sinceMillis })
    }
  }
})

/** Reads the whole final state directly from the stores, using the stores' clock. */
export const readBooks = (world: World, books: Books) =>
  Effect.provideService(readAll(world, books), Clock.Clock, world.storeClock)

/** The media to collect, and the stores with jobs that may need it. */
export interface Collected {
  readonly stores: Context.Context<Stores>
  readonly files: Files
  readonly isKept: boolean
  /** Name of the process that collects media. */
  readonly name?: string
}

/** Runs one collection of unneeded media in a new process. */
export const collect = Effect.fnUntraced(function* (
  world: World,
  { files, isKept, name = "collector", stores }: Collected
) {
  const lifetime = Lifetime.begin(world, { name, role: "worker", onCrash: () => {} })
  const ports = Context.add(stores, MediaStore, mediaStore(world, { files, lifetime }))
  // These steps may run outside the collector's process, because its ports make the calls.
  yield* Effect.provide(MediaCollection.collect, MediaIdentity.layer).pipe(
    Effect.provideService(MediaRetention, { ...MediaRetention.defaultValue(), isKept }),
    Effect.provideContext(ports)
  )
})

/** Collects unneeded media, and records media that remains even though no job needs it. */
export const collectAll = Effect.fnUntraced(function* (world: World, collected: Collected) {
  yield* collect(world, collected)
  const { files, isKept } = collected
  if (isKept) return
  // A job may still need its media only if its client does not know that the job exists.
  const stored = factsOf(world.facts, "Stored").flatMap(({ entries }) => entries)
  const accepted = new Set(factsOf(world.facts, "Accepted").map(({ id }) => id))
  // After a later retry, the job's media is kept for as long again.
  const renewed = new Set(factsOf(world.facts, "LateFollowUp").map(({ id }) => id))
  for (const key of files.keys()) {
    const id = jobIdOf(key)
    const isUnknown =
      renewed.has(id) || (stored.some((each) => each.id === id) && !accepted.has(id))
    if (!isUnknown) world.facts.push({ _tag: "MediaLeft", id, key })
  }
})

/** More corrections than any run creates. */
const allCorrections = { before: Option.none<number>(), limit: 1_000 }

/** Reads each transcript for which a correction was requested, and all its corrections versions. */
const readCorrections = Effect.fnUntraced(function* (
  { facts }: World,
  stores: Context.Context<Stores>
) {
  const store = Context.get(stores, CorrectionStore)
  for (const text of new Set(factsOf(facts, "CorrectionRequested").map(({ id }) => id))) {
    const id = JobId.make(text)
    const transcript = yield* Context.get(stores, JobStore).transcript(id)
    if (Option.isNone(transcript)) continue
    const latestFirst = yield* store.versions(id, allCorrections)
    const versions = yield* Effect.forEach(latestFirst.toReversed(), ({ backTo, version }) =>
      Effect.map(store.version(id, version), (found) => ({
        version,
        backTo,
        changed: JSON.stringify(Option.getOrNull(found))
      }))
    )
    const recognised = JSON.stringify(transcript.value)
    facts.push({ _tag: "CorrectionsListed", id, recognised, versions })
  }
})

/** Time between reads of the pending work. */
const interval = Duration.seconds(5)

/**
 * Maximum wait. It is several times as long as three half-minute calls, a clock change and the
 * expiry of leases.
 */
const endMillis = 900_000

const noticeOf = ({ notice }: Job): FactOf<"Noticed">["notice"] => {
  if (notice === undefined) return null
  const attempt = "attempt" in notice ? notice.attempt : notice.attempts
  return { id: notice.id, state: notice._tag, attempt }
}

/**
 * If the host has a listener, waits until no notice is pending, or until all notices should have
 * ended.
 */
export const awaitNotices = Effect.fnUntraced(function* (
  world: World,
  given: Books & { readonly isWanted: boolean }
) {
  const { facts, timeline } = world
  if (!given.isWanted) return
  const deadline = timeline.now() + endMillis
  let jobs = yield* listJobs(given)
  while (timeline.now() < deadline && !jobs.every(isTerminal)) {
    yield* Effect.sleep(interval)
    jobs = yield* listJobs(given)
  }
  for (const job of jobs) facts.push({ _tag: "Noticed", id: job.id, notice: noticeOf(job) })
})
