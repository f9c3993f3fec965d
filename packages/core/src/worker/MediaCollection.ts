/**
 * Removes media that will not be read again: media of jobs that failed long ago, media that could
 * not be removed after a success, uploads without a job, and files from superseded attempts. If the
 * operator keeps media, only files without a job are removed.
 */
import { Clock, Duration, Effect, Layer, Option, Stream } from "effect"
import type { Job } from "../domain/job/Job.ts"
import { isIdBefore } from "../domain/job/JobListing.ts"
import { keepsMedia, MediaRetention, needsMedia } from "../domain/job/MediaRetention.ts"
import { jobIdOf, type MediaKey } from "../domain/transcription/MediaKey.ts"
import { JobStore } from "../ports/JobStore.ts"
import { MediaStore } from "../ports/MediaStore.ts"
import { answerTimeout } from "../services/jobs/Commits.ts"
import { MediaIdentity } from "../services/tasks/MediaIdentity.ts"
/**
 * Minimum age of media that is removed. Younger media may belong to a job that is just being
 * accepted.
 */
export const ageMin: Duration.Duration = Duration.hours(24)

/**
 * Extra time for a retry that was requested before the media expired, but has not reached the store
 * yet.
 */
const retryMargin = Duration.hours(1)

export const collectionInterval: Duration.Duration = Duration.hours(1)

/**
 * Interval between collections if media is kept. It is long, because a scan of kept media is slow
 * and finds little to remove.
 */
const keptInterval = Duration.hours(24)

/**
 * Number of keys per query to the job store. Every database accepts a statement with a hundred
 * parameters.
 */
const batchMax = 100

/**
 * Number of recordings that can always be removed without a warning. Such a small number is no sign
 * of a wrong database, even if it is three out of four old recordings.
 */
const fewMax = 20

/**
 * Maximum fraction of all recordings that can be removed without a warning, even if it exceeds
 * `fewMax`.
 */
const shareMax = 1 / 10

/** Time that an operator has to react to the warning. */
export const pause: Duration.Duration = Duration.hours(24)

/**
 * Maximum number of removals in one collection, because each key takes about 60 bytes of memory.
 * The next collection removes more.
 */
const removedMax = 100_000

type Ports = JobStore | MediaIdentity | MediaStore

/** Returns the keys in a batch that no job needs. */
const findUnneeded = Effect.fnUntraced(function* (keys: ReadonlyArray<MediaKey>) {
  const jobs = yield* JobStore
  const { failedFor, isKept } = yield* MediaRetention
  const present = yield* jobs.present(keys.map(jobIdOf))
  const { createdAt } = yield* jobs.databaseIdentity
  const wanted = { failedFor: Duration.sum(failedFor, retryMargin), now: yield* jobs.now }
  return keys.filter((key) => {
    const id = jobIdOf(key)
    const job = present.get(id)
    // Media of an unknown job is kept if the job's id is older than this database, because another
    // database may have the job.
    if (job === undefined) return !isIdBefore(id, createdAt)
    // Media of a job that a newer release wrote is kept, because the job may need it.
    if (Option.isNone(job)) return false
    return !(keepsMedia(job.value, key) && (isKept || needsMedia(job.value, wanted)))
  })
})

/** Counts old media files, and finds the files that no job needs. */
const scan = Effect.gen(function* () {
  const { olderThan } = yield* MediaStore
  const unneeded: Array<MediaKey> = []
  let count = 0
  yield* olderThan(ageMin).pipe(
    Stream.grouped(batchMax),
    Stream.runForEach((keys) => {
      count += keys.length
      if (unneeded.length >= removedMax) return Effect.void
      return Effect.map(findUnneeded(keys), (found) => void unneeded.push(...found))
    })
  )
  return { count, unneeded }
})

/** Removes media. A failure must not block the removal of other media. */
const remove = Effect.fnUntraced(function* (key: MediaKey) {
  const media = yield* MediaStore
  yield* media.remove(key).pipe(
    Effect.catch((error) => Effect.logWarning("Old media could not be removed yet", error)),
    Effect.annotateLogs({ job: jobIdOf(key) })
  )
})

/**
 * Removes media that no job needs. This is checked again, because the store's owner and the jobs'
 * needs may have changed since the scan.
 */
const removeUnneeded = Effect.fnUntraced(function* (keys: ReadonlyArray<MediaKey>) {
  if (!(yield* isOurs)) return
  yield* Effect.forEach(yield* findUnneeded(keys), remove, { discard: true })
})

/**
 * Whether the media store belongs to this database, which does not know what media another database
 * needs.
 */
const isOurs = Effect.map(
  Effect.flatMap(MediaIdentity, ({ verify }) => verify),
  ({ _tag }) => _tag === "Ours"
)

const warning = (count: number, all: number): string =>
  [
    `No job needs ${count} of ${all} old recordings, which is more than a tenth. They are removed`,
    "in a day. If that is wrong, stop this process, and check that it uses the right database."
  ].join(" ")

/**
 * Creates an effect that runs a collection and can be repeated. Each collection removes old media
 * that no job needs. If that would be much, it only logs a warning, and the media is removed a day
 * later at the earliest.
 */
export const make: Effect.Effect<Effect.Effect<void, never, Ports>> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  let warnedAt: bigint | undefined

  const mayRemove = Effect.fnUntraced(function* (unneeded: number, count: number) {
    if (unneeded <= Math.max(fewMax, count * shareMax)) {
      warnedAt = undefined
      return true
    }
    const now = clock.monotonicTimeNanosUnsafe()
    if (warnedAt === undefined) {
      warnedAt = now
      yield* Effect.logWarning(warning(unneeded, count))
    }
    return now - warnedAt >= Duration.toNanosUnsafe(pause)
  })

  return Effect.gen(function* () {
    if (!(yield* isOurs)) return
    const { count, unneeded } = yield* scan
    if (!(yield* mayRemove(unneeded.length, count))) return
    yield* Stream.fromIterable(unneeded).pipe(
      Stream.grouped(batchMax),
      Stream.runForEach(removeUnneeded)
    )
  }).pipe(
    // Without this limit, a store that never responds would stop the collections of this process.
    Effect.timeout(collectionInterval),
    Effect.catchCause((cause) => Effect.logWarning("Old media could not be collected", cause))
  )
})

/** Runs one collection. */
export const collect: Effect.Effect<void, never, Ports> = Effect.flatten(make)

/**
 * Runs a collection at the start and then every hour, or every day if media is kept. Any number of
 * processes can collect concurrently.
 */
export const layer: Layer.Layer<never, never, Ports> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { isKept } = yield* MediaRetention
    const collectAgain = yield* make
    yield* collectAgain.pipe(
      Effect.andThen(Effect.sleep(isKept ? keptInterval : collectionInterval)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

/**
 * Creates a function that removes media that is no longer needed after an acknowledged commit. If
 * the removal fails, a collection removes the media later.
 */
export const makeClean = Effect.gen(function* () {
  const { remove } = yield* MediaStore
  const { isKept } = yield* MediaRetention
  const { mustBeOurs } = yield* MediaIdentity

  return Effect.fnUntraced(
    function* (before: Job, after: Job) {
      const { transcription } = before
      if (isKept || transcription._tag !== "Running") return
      if (after.transcription._tag !== "Transcribed") return
      // The store is checked again, because it may have been assigned to another database during
      // the work.
      yield* mustBeOurs("remove")
      yield* remove(transcription.media.key)
    },
    Effect.timeout(answerTimeout),
    Effect.catch((error) => Effect.logWarning("Media could not be removed yet", error))
  )
})
