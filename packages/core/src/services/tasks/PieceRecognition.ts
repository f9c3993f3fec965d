/**
 * Recognises the pieces of a recording, several at a time. A piece counts as recognised once its
 * result is committed, and a piece with a stored result is not recognised again.
 */
import { Context, Duration, Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import { Failure } from "../../domain/attempt/Failure.ts"
import type { Job } from "../../domain/job/Job.ts"
import type { DecodedAudio } from "../../domain/transcription/DecodedAudio.ts"
import { millisAt } from "../../domain/transcription/DecodedAudio.ts"
import {
  countPiece,
  isCounted,
  type Piece,
  type PieceProgress,
  type StoredCut,
  toStorable
} from "../../domain/transcription/Piece.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import type { AudioDecoder } from "../../ports/AudioDecoder.ts"
import type { JobStore, JobStoreError } from "../../ports/JobStore.ts"
import {
  type CutOnce,
  type PiecePlan,
  type RecognisePieces,
  recogniseUnstored,
  type SampleRange,
  TranscriberError
} from "../../ports/Transcriber.ts"
import { answerTimeout } from "../jobs/Commits.ts"
import type { Quota } from "../quota/Quota.ts"
import type { TaskContext } from "./TaskContext.ts"

/** Settings for the recognition of pieces. */
export interface PieceSettings {
  /** Maximum number of pieces that a process recognises at the same time, for all its jobs. */
  readonly atOnce: number
  /** Whether a result is reused for the same audio in another job of the workspace. */
  readonly areReused: boolean
}

/** The settings of this process for the recognition of pieces. */
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
 * Limits the wait for a response from the store. A late response counts as an outage, because a
 * hanging store would otherwise block the attempt.
 */
const answerInTime = <A>(question: Effect.Effect<A, JobStoreError>) =>
  Effect.timeoutOrElse(Effect.mapError(question, noAnswer), {
    duration: answerTimeout,
    orElse: () => Effect.fail(noAnswer())
  })

/** A recording that is recognised in pieces. */
interface Recording {
  readonly assignment: TaskContext
  readonly audio: DecodedAudio
}

/**
 * The version of the computation. It changes whenever a release computes different results from the
 * same audio.
 */
const resultFormat = 1

/** The stored pieces of a job that its current attempt knows. */
interface StoredPieces {
  readonly rows: Map<number, Piece>
  progress: PieceProgress | undefined
  /** The cut that this attempt found or read. */
  cut: StoredCut | undefined
}

/** Creates a function that hashes a part of the audio together with other values. */
const makeHash = ({ decoder, digest: { digestHex } }: Shared, { assignment, audio }: Recording) => {
  const { transcription } = assignment.job
  const media = "media" in transcription ? transcription.media?.key : undefined
  const hashSound = (range: SampleRange) =>
    decoder.digest === undefined
      ? Effect.succeed(`${media} ${range.from} ${range.to}`)
      : Effect.mapError(decoder.digest(audio, range), () =>
          storageError("the decoded audio cannot be read")
        )

  return Effect.fnUntraced(function* (range: SampleRange, ...others: ReadonlyArray<unknown>) {
    const parts = [resultFormat, yield* hashSound(range), ...others]
    return yield* digestHex(Digest.sha256, encoder.encode(JSON.stringify(parts)))
  })
}

type Hash = ReturnType<typeof makeHash>

/** Creates a function that computes the digest of a piece and looks for a stored result. */
const makeFind = (
  { settings: { areReused }, store }: Shared,
  { id, workspaceId }: Job,
  { hash, isInContext = false, settings }: PiecePlan & { readonly hash: Hash }
) =>
  Effect.fnUntraced(function* (range: SampleRange, own: Piece | undefined) {
    const digest = yield* hash(range, settings, isInContext ? [id, range.from] : null)
    if (own?.digest === digest) return { digest, found: own.result, isOwn: true }
    const other = areReused
      ? yield* answerInTime(store.findPiece(workspaceId, digest))
      : Option.none()
    return { digest, found: Option.getOrUndefined(other)?.result, isOwn: false }
  })

/**
 * Creates an effect that reads the stored pieces once per attempt, so that a second engine sees
 * what the first one stored. A job without counted pieces has none.
 */
const makeReadOnce = ({ store }: Shared, { assignment: { job } }: Recording) => {
  const progress = job.transcription._tag === "Running" ? job.transcription.pieces : undefined
  let stored: StoredPieces | undefined
  const read = Effect.gen(function* () {
    const pieces = progress === undefined ? [] : yield* answerInTime(store.pieces(job.id))
    const rows = new Map(pieces.map((piece) => [piece.index, piece]))
    stored ??= { progress, rows, cut: undefined }
    return stored
  })
  return Effect.suspend(() => (stored === undefined ? read : Effect.succeed(stored)))
}

/** A recording in one attempt, with its hash function and its stored pieces. */
interface Attempt extends Recording {
  readonly hash: Hash
  readonly readOnce: ReturnType<typeof makeReadOnce>
}

/**
 * Creates a function that finds the cut of a recording, or reads the stored cut. Finding the speech
 * in ten minutes of audio takes 2 s of CPU time, and hashing the audio 0.02 s.
 */
const makeCutOnce = ({ audio, hash, readOnce }: Attempt): CutOnce =>
  Effect.fnUntraced(function* (settings, cut) {
    const digest = yield* hash({ from: 0, to: audio.sampleCount }, settings)
    const known = yield* readOnce
    const previous = known.rows.get(0)?.cut
    known.cut = previous?.digest === digest ? previous : { digest, ranges: yield* cut }
    return known.cut.ranges
  })

/** Creates a function that recognises the pieces of a recording. */
const makeRecognisePieces = (
  shared: Shared,
  { assignment, hash, readOnce }: Attempt
): RecognisePieces => {
  const { digest: digester, settings, slots } = shared
  const { job, keepPiece = () => Effect.void } = assignment

  /** Runs the engine once a slot is free, and measures only the engine's own time. */
  const recognise = (recognition: ReturnType<PiecePlan["recognise"]>) =>
    Effect.scoped(Effect.andThen(slots.hold(job.workspaceId), Effect.timed(recognition)))

  return Effect.fnUntraced(function* (given) {
    const { atOnce = settings.atOnce, cut } = given
    const text = JSON.stringify([given.settings, cut])
    const plan = yield* digester.digestHex(Digest.sha256, encoder.encode(text))
    const find = makeFind(shared, job, { ...given, hash })
    const known = yield* readOnce

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
      const storedCut = index === 0 && known.cut !== undefined ? { cut: known.cut } : {}
      const piece = { index, startMillis, endMillis, digest, result, ...storedCut }
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

/** Creates the functions that cut a recording and recognise its pieces. */
export const makePieceRecognition = (
  shared: Shared,
  recording: Recording
): { readonly cutOnce: CutOnce; readonly recognisePieces: RecognisePieces } => {
  const [hash, readOnce] = [makeHash(shared, recording), makeReadOnce(shared, recording)]
  const attempt = { ...recording, hash, readOnce }
  return { cutOnce: makeCutOnce(attempt), recognisePieces: makeRecognisePieces(shared, attempt) }
}
