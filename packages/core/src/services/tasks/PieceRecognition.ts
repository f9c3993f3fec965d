/**
 * Recognises the pieces of a recording, several at a time, and commits each piece's result before
 * the piece counts as recognised. A piece with a stored result is not recognised again.
 */
import { Context, Duration, Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import { Failure } from "../../domain/attempt/Failure.ts"
import type { DecodedAudio } from "../../domain/transcription/DecodedAudio.ts"
import { millisAt } from "../../domain/transcription/DecodedAudio.ts"
import {
  countPiece,
  isCounted,
  type Piece,
  type PieceProgress,
  toStorable
} from "../../domain/transcription/Piece.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import type { AudioDecoder } from "../../ports/AudioDecoder.ts"
import type { JobStore, JobStoreError } from "../../ports/JobStore.ts"
import {
  type PiecePlan,
  type RecognisePieces,
  recogniseUnstored,
  type SampleRange,
  TranscriberError
} from "../../ports/Transcriber.ts"
import { answerTimeout } from "../jobs/Commits.ts"
import type { Quota } from "../quota/Quota.ts"
import type { TaskContext } from "./TaskContext.ts"

/** Settings for piecewise recognition. */
export interface PieceSettings {
  /** Maximum number of pieces that a process recognises at the same time, for all its jobs. */
  readonly atOnce: number
  /** Whether a result is reused for the same audio in another job of the workspace. */
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

const encoder = new TextEncoder()

const storageError = (detail: string) =>
  new TranscriberError({ reason: Failure.cases.StorageFailed.make({ detail }) })

const noAnswer = () => storageError("the store of the pieces did not answer")

/**
 * Waits for a response from the store. A late response counts as an outage, because a hanging store
 * would otherwise block the attempt.
 */
const answerInTime = <A>(question: Effect.Effect<A, JobStoreError>) =>
  Effect.timeoutOrElse(Effect.mapError(question, noAnswer), {
    duration: answerTimeout,
    orElse: () => Effect.fail(noAnswer())
  })

/** One recording that is recognised in pieces. */
interface Recording {
  readonly assignment: TaskContext
  readonly audio: DecodedAudio
}

/**
 * Version of the computation, changed whenever a release computes different results from the same
 * audio.
 */
const resultFormat = 1

/** The stored pieces of a job that its current attempt knows. */
interface StoredPieces {
  readonly rows: Map<number, Piece>
  progress: PieceProgress | undefined
}

/** Creates the function that finds a piece's digest and stored result. */
const makeFind = (
  { decoder, digest: { digestHex }, settings: { areReused }, store }: Shared,
  { assignment: { job }, audio }: Recording,
  { isInContext = false, settings }: PiecePlan
) => {
  const { id, transcription, workspaceId } = job
  const media = "media" in transcription ? transcription.media?.key : undefined
  const hashSound = (range: SampleRange) =>
    decoder.digest === undefined
      ? Effect.succeed(`${media} ${range.from} ${range.to}`)
      : Effect.mapError(decoder.digest(audio, range), () =>
          storageError("the decoded audio cannot be read")
        )

  return Effect.fnUntraced(function* (range: SampleRange, own: Piece | undefined) {
    const sound = yield* hashSound(range)
    const context = isInContext ? [id, range.from] : null
    const parts = [resultFormat, sound, settings, context]
    const digest = yield* digestHex(Digest.sha256, encoder.encode(JSON.stringify(parts)))
    if (own?.digest === digest) return { digest, found: own.result, isOwn: true }
    const other = areReused
      ? yield* answerInTime(store.findPiece(workspaceId, digest))
      : Option.none()
    return { digest, found: Option.getOrUndefined(other)?.result, isOwn: false }
  })
}

/** Creates the function that recognises the pieces of one recording. */
export const makeRecognisePieces = (shared: Shared, recording: Recording): RecognisePieces => {
  const { digest: digester, settings, slots, store } = shared
  const { job, keepPiece = () => Effect.void } = recording.assignment
  const progress = job.transcription._tag === "Running" ? job.transcription.pieces : undefined
  let stored: StoredPieces | undefined

  /** A job without counted pieces has no stored pieces. */
  const read = Effect.suspend(() =>
    progress === undefined ? Effect.succeed([]) : answerInTime(store.pieces(job.id))
  )

  /** Runs the engine once a slot is free, and measures only the engine's own time. */
  const recognise = (recognition: ReturnType<PiecePlan["recognise"]>) =>
    Effect.scoped(Effect.andThen(slots.hold(job.workspaceId), Effect.timed(recognition)))

  return Effect.fnUntraced(function* (given) {
    const { atOnce = settings.atOnce, cut } = given
    const text = JSON.stringify([given.settings, cut])
    const plan = yield* digester.digestHex(Digest.sha256, encoder.encode(text))
    const find = makeFind(shared, recording, given)
    // The stored pieces are read once per attempt, so that a second engine sees what the first one
    // stored.
    stored ??= { progress, rows: new Map((yield* read).map((piece) => [piece.index, piece])) }
    const known = stored

    const recogniseOne: PiecePlan["recognise"] = Effect.fnUntraced(function* (range, before) {
      const index = cut.indexOf(range)
      const [startMillis, endMillis] = [millisAt(range.from), millisAt(range.to)]
      const { digest, found, isOwn } = yield* find(range, known.rows.get(index))
      const [time, recognised] =
        found === undefined
          ? yield* recognise(given.recognise(range, before))
          : [Duration.zero, found]
      const result = toStorable(recognised, endMillis - startMillis)
      const isReused = found !== undefined
      const engineMillis = Math.round(Duration.toMillis(time))
      const counted = { plan, count: cut.length, index, isReused, engineMillis }
      if (isOwn && isCounted(known.progress, counted)) return result
      const piece = { index, startMillis, endMillis, digest, result }
      yield* keepPiece({ piece, ...counted })
      known.rows.set(index, piece)
      known.progress = countPiece(known.progress, counted)
      yield* coreMetrics.pieces.record({ outcome: isReused ? "reused" : "recognised" })
      if (!isReused) yield* coreMetrics.engineTime.record({}, engineMillis / 1_000)
      return result
    })

    const plannedAtOnce = Math.min(atOnce, settings.atOnce)
    return yield* recogniseUnstored({ ...given, atOnce: plannedAtOnce, recognise: recogniseOne })
  })
}
