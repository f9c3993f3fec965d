/**
 * Removes media that nothing will read any more: of jobs that failed long ago, or succeeded while
 * the removal failed; of uploads whose job was never written; of overtaken attempts. Where the
 * operator keeps media, only what no job has.
 */
import { Duration, Effect, Layer, Option, Stream } from "effect"
import { keepsMedia, MediaRetention, needsMedia } from "../domain/job/MediaRetention.ts"
import { jobIdOf, type MediaKey } from "../domain/transcription/MediaKey.ts"
import { JobStore } from "../ports/JobStore.ts"
import { MediaStore } from "../ports/MediaStore.ts"
import { MediaIdentity } from "../services/MediaIdentity.ts"

/** Younger media may belong to a job that is being accepted right now. */
export const ageMin: Duration.Duration = Duration.hours(24)

/** A retry that was decided in time may still be on its way to the store. */
const retryMargin = Duration.hours(1)

export const collectionInterval: Duration.Duration = Duration.hours(1)

/** Media that is kept is a lot to look through, and hardly any of it is needless. */
const keptInterval = Duration.hours(24)

/**
 * Keys per question to the job store: one statement with a hundred parameters suits every database.
 */
const batchMax = 100

/** Runs once: removes every old key whose job needs it no more or does not exist. */
export const collect: Effect.Effect<void, never, JobStore | MediaIdentity | MediaStore> =
  Effect.gen(function* () {
    const jobs = yield* JobStore
    const media = yield* MediaStore
    const { failedFor, isKept } = yield* MediaRetention
    // This database does not know what another one needs.
    const { _tag } = yield* Effect.flatMap(MediaIdentity, ({ verify }) => verify)
    if (_tag !== "Ours") return

    /** One key that cannot be removed must not keep the others. */
    const remove = (key: MediaKey) =>
      media.remove(key).pipe(
        Effect.catch((error) => Effect.logWarning("Old media stays for now", error)),
        Effect.annotateLogs({ job: jobIdOf(key) })
      )

    const removeFinished = Effect.fnUntraced(function* (keys: ReadonlyArray<MediaKey>) {
      const present = yield* jobs.present(keys.map(jobIdOf))
      const wanted = { failedFor: Duration.sum(failedFor, retryMargin), now: yield* jobs.now }
      const isNeeded = (key: MediaKey): boolean => {
        const job = present.get(jobIdOf(key))
        if (job === undefined) return false
        // A job that a newer version wrote may need it.
        if (Option.isNone(job)) return true
        return isKept ? keepsMedia(job.value, key) : needsMedia(job.value, wanted)
      }
      const unneeded = keys.filter((key) => !isNeeded(key))
      yield* Effect.forEach(unneeded, remove, { discard: true })
    })

    yield* media.olderThan(ageMin).pipe(Stream.grouped(batchMax), Stream.runForEach(removeFinished))
  }).pipe(
    // A store that never answers would put an end to the collections of this process.
    Effect.timeout(collectionInterval),
    Effect.catchCause((cause) => Effect.logWarning("Old media could not be collected", cause))
  )

/**
 * Collects at the start and every hour, or day where media is kept. Any number of processes may do
 * so side by side.
 */
export const layer: Layer.Layer<never, never, JobStore | MediaIdentity | MediaStore> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { isKept } = yield* MediaRetention
      yield* collect.pipe(
        Effect.andThen(Effect.sleep(isKept ? keptInterval : collectionInterval)),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
