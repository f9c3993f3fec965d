/** Stores with old jobs and the files of their media, and what has to be left of them. */
import { layer as filesystem } from "@verbatim/adapters/filesystem"
import { layer as postgres } from "@verbatim/adapters/postgres"
import { layer as sqlite } from "@verbatim/adapters/sqlite"
import { JobStore, MediaStore, WorkspaceStore } from "@verbatim/core/ports"
import * as Transcription from "@verbatim/core/transcription"
import type { RetentionRule } from "@verbatim/core/workspace"
import {
  attemptStarted,
  commitJob,
  foundFirst,
  insertJob,
  jobId,
  makeUploadJob,
  media,
  onTranscription,
  readLedger,
  transcript,
  upTo,
  workspaceId
} from "@verbatim/testkit/samples"
import { DateTime, Duration, Effect, Layer, Option, Redacted, Stream } from "effect"
import type { Place } from "../copy/Ends.ts"

/** The stores at a place, and the media in a folder. */
export const storesAt = ({ kind, name, schema }: Place, directory: string) =>
  Layer.merge(
    kind === "Sqlite"
      ? sqlite({ filename: name })
      : postgres({ url: Redacted.make(name), schema, connectionsMax: 2 }),
    filesystem({ directory })
  )

/** The rule of the first workspace. The other one has none. */
const rule: RetentionRule = { mediaDays: 5, transcriptDays: 10, jobDays: 20 }

/** Days since jobs ended, and what is left of them by the rule. */
const ages = [
  { days: 2, left: { job: true, transcript: true, media: true } },
  { days: 7, left: { job: true, transcript: true, media: false } },
  { days: 12, left: { job: true, transcript: false, media: false } },
  { days: 30, left: { job: false, transcript: false, media: false } }
] as const

const all = { job: true, transcript: true, media: true }

/** Jobs of each age: what goes of them takes several steps. */
const perAge = 9

/** Jobs of the workspace without a rule. */
const others = 3

interface Old {
  readonly number: number
  readonly owner: number
  readonly days: number
  readonly left: typeof all
}

const olds: ReadonlyArray<Old> = [
  ...ages.flatMap(({ days, left }, age) =>
    upTo(perAge).map((number) => ({ number: age * 100 + number, owner: 1, days, left }))
  ),
  ...upTo(others).map((number) => ({ number: 900 + number, owner: 2, days: 30, left: all }))
]

const produced = (at: DateTime.Utc) =>
  onTranscription(
    Transcription.Event.cases.TranscriptProduced.make({
      at,
      durationMillis: 61_234,
      language: "en",
      isEmpty: false,
      engine: "sample",
      isMediaKept: true
    })
  )

/** A job that ended so many days ago, with its media, its transcript and its charge. */
const addOld = Effect.fnUntraced(function* ({ days, number, owner }: Old) {
  const at = DateTime.subtract(yield* DateTime.now, { days })
  const store = yield* MediaStore
  const content = Stream.make(new TextEncoder().encode(`media ${number}`))
  yield* store.put({ key: media(number).key, content, byteMax: 100 })
  const job = yield* insertJob(makeUploadJob(number, { workspaceId: workspaceId(owner) }))
  const begun = yield* commitJob(job, { events: [attemptStarted()] })
  yield* commitJob(begun, { events: [produced(at)], transcript, chargeMillis: 1_000 })
})

/** Fills the stores. */
export const fill = Effect.gen(function* () {
  const workspaces = yield* WorkspaceStore
  yield* foundFirst
  const { workspace } = Option.getOrThrow(yield* workspaces.account(workspaceId(1)))
  yield* workspaces.create({ ...workspace, id: workspaceId(2) })
  yield* workspaces.replace({ ...workspace, ...rule, revision: 2 })
  yield* Effect.forEach(olds, addOld, { concurrency: 8 })
})

const sortKeys = (keys: ReadonlyArray<string>) => keys.toSorted()

/** All that is there: jobs, their transcripts, files, and the money of each workspace. */
export const remains = Effect.gen(function* () {
  const [jobs, store, workspaces] = [yield* JobStore, yield* MediaStore, yield* WorkspaceStore]
  const present = yield* jobs.present(olds.map(({ number }) => jobId(number)))
  const texts = yield* Effect.filter([...present.keys()], (id) =>
    Effect.map(jobs.transcript(id), Option.isSome)
  )
  const books = yield* Effect.forEach([1, 2], (number) =>
    Effect.gen(function* () {
      const account = Option.getOrThrow(yield* workspaces.account(workspaceId(number)))
      const lines = yield* readLedger(workspaces, workspaceId(number))
      const sum = lines.reduce((before, { millis }) => before + millis, 0)
      return { balance: account.balanceMillis, sum, lines: lines.length }
    })
  )
  return {
    jobs: sortKeys([...present.keys()]),
    transcripts: sortKeys(texts),
    files: sortKeys(yield* Stream.runCollect(store.olderThan(Duration.zero))),
    books
  }
})

const idsWith = (what: keyof typeof all) =>
  olds.filter(({ left }) => left[what]).map(({ number }) => number)

/** What has to be left where there were these books. */
export const expected = (books: Effect.Success<typeof remains>["books"]) => ({
  jobs: sortKeys(idsWith("job").map(jobId)),
  transcripts: sortKeys(idsWith("transcript").map(jobId)),
  files: sortKeys(idsWith("media").map((number) => media(number).key)),
  books
})
