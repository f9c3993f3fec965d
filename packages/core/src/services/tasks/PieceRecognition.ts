/**
 * Recognises the pieces of a recording, several at a time, and commits the result of each piece
 * before the piece counts as recognised. A piece with a stored result is not recognised again.
 */
import { Context, Duration, Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import { Failure } from "../../domain/attempt/Failure.ts"
import type { DecodedAudio } from "../../domain/transcription/DecodedAudio.ts"
import { sampleRate } from "../../domain/transcription/DecodedAudio.ts"
import { isCounted, type PieceResult, toStorable } from "../../domain/transcription/Piece.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import type { AudioDecoder } from "../../ports/AudioDecoder.ts"
import type { JobStore, JobStoreError } from "../../ports/JobStore.ts"
import {
  type PiecePlan,
  type RecognisePieces,
  type SampleRange,
  TranscriberError
} from "../../ports/Transcriber.ts"
import { answerTimeout } from "../jobs/Commits.ts"
import type { Quota } from "../quota/Quota.ts"
import type { TaskContext } from "./TaskContext.ts"

/** Settings of the recognition in pieces. */
export interface PieceSettings {
  /** Maximum number of pieces that a process recognises at the same time, for all its jobs. */
  readonly atOnce: number
  /** Whether a result is reused for the same sound in another job of the workspace. */
  readonly areReused: boolean
}

/** The settings of this process. */
export const PieceSettings: Context.Reference<PieceSettings> = Context.Reference(
  "@verbatim/core/services/tasks/PieceSettings",
  { defaultValue: (): PieceSettings => ({ atOnce: 1, areReused: true }) }
)

/** The services and settings that all recordings share. */
export interface Shared {
  readonly decoder: AudioDecoder["Service"]
  readonly digest: Digest.Digest["Service"]
  readonly settings: PieceSettings
  readonly slots: Quota
  readonly store: JobStore["Service"]
}

const millisAt = (sample: number): number => Math.round((sample * 1_000) / sampleRate)

const encoder = new TextEncoder()

const storageError = () =>
  new TranscriberError({
    reason: Failure.cases.StorageFailed.make({ detail: "the store of the pieces did not answer" })
  })

/**
 * A missing answer counts as an outage, because a store that hangs would otherwise block the
 * attempt.
 */
const answerInTime = <A>(question: Effect.Effect<A, JobStoreError>) =>
  Effect.timeoutOrElse(Effect.mapError(question, storageError), {
    duration: answerTimeout,
    orElse: () => Effect.fail(storageError())
  })

/** One recording that is recognised in pieces. */
interface Recording {
  readonly assignment: TaskContext
  readonly audio: DecodedAudio
}

const countedIn = ({ transcription }: TaskContext["job"]) =>
  transcription._tag === "Running" ? transcription.pieces : undefined

/** Makes the function that finds the digest of a piece, and its stored result. */
const makeFind = Effect.fnUntraced(function* (
  { decoder, digest: { digestHex }, settings: { areReused }, store }: Shared,
  { assignment: { job }, audio }: Recording,
  { isInContext = false, settings }: PiecePlan
) {
  const { id, workspaceId } = job
  // If the job has counted no pieces, none are stored.
  const stored = countedIn(job) === undefined ? [] : yield* answerInTime(store.pieces(id))
  const known = new Map(stored.map((piece) => [piece.index, piece]))
  const hashSound = (range: SampleRange) =>
    decoder.digest === undefined
      ? Effect.succeed(`${id} ${range.from} ${range.to}`)
      : Effect.mapError(decoder.digest(audio, range), storageError)

  return Effect.fnUntraced(function* (range: SampleRange, index: number) {
    const parts = [yield* hashSound(range), settings, isInContext ? id : null]
    const digest = yield* digestHex(Digest.sha256, encoder.encode(JSON.stringify(parts)))
    const own = known.get(index)
    if (own?.digest === digest) return { digest, found: own.result, isOwn: true }
    const other = areReused
      ? yield* answerInTime(store.findPiece(workspaceId, digest))
      : Option.none()
    return { digest, found: Option.getOrUndefined(other)?.result, isOwn: false }
  })
})

/** Makes the function that recognises the pieces of one recording. */
export const makeRecognisePieces = (shared: Shared, recording: Recording): RecognisePieces => {
  const { digest: digester, settings, slots } = shared
  const { job, keepPiece = () => Effect.void } = recording.assignment
  const counted = countedIn(job)
  const hash = (text: string) => digester.digestHex(Digest.sha256, encoder.encode(text))

  /** Runs the engine once a slot is free, and measures only the engine's own time. */
  const recognise = (recognition: ReturnType<PiecePlan["recognise"]>) =>
    Effect.scoped(Effect.andThen(slots.hold(job.workspaceId), Effect.timed(recognition)))

  return Effect.fnUntraced(function* (plan) {
    const { atOnce = settings.atOnce, cut, isInContext = false, onProgress } = plan
    const planDigest = yield* hash(JSON.stringify([plan.settings, cut]))
    const find = yield* makeFind(shared, recording, plan)
    const results: Array<PieceResult> = []
    const count = cut.length
    let done = 0

    const recogniseOne = Effect.fnUntraced(function* (range: SampleRange, index: number) {
      const [startMillis, endMillis] = [millisAt(range.from), millisAt(range.to)]
      const { digest, found, isOwn } = yield* find(range, index)
      const [time, result] =
        found === undefined
          ? yield* recognise(plan.recognise(range, results))
          : [Duration.zero, found]
      const storable = toStorable(result, endMillis - startMillis)
      if (!isOwn || !isCounted(counted, { plan: planDigest, count, index })) {
        const piece = { index, startMillis, endMillis, digest, result: storable }
        const isReused = found !== undefined
        const engineMillis = Math.round(Duration.toMillis(time))
        yield* keepPiece({ piece, plan: planDigest, count, isReused, engineMillis })
        const outcome = isReused ? "reused" : "recognised"
        yield* coreMetrics.pieces.record({ outcome })
        if (!isReused) yield* coreMetrics.engineTime.record({}, engineMillis / 1_000)
      }
      results[index] = storable
      done += 1
      if (onProgress !== undefined) yield* onProgress(done / count)
    })

    yield* Effect.forEach(cut, recogniseOne, {
      concurrency: isInContext ? 1 : Math.min(atOnce, settings.atOnce),
      discard: true
    })
    return results
  })
}
