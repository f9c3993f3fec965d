/**
 * Recognises the pieces of a recording, several at a time, and commits each result before it counts
 * as recognised. A piece with a stored result is not recognised again.
 */
import { Context, Effect } from "effect"
import { Digest } from "effect/crypto"
import { Failure } from "../../domain/attempt/Failure.ts"
import type { DecodedAudio } from "../../domain/transcription/DecodedAudio.ts"
import { sampleRate } from "../../domain/transcription/DecodedAudio.ts"
import { isCounted, type PieceResult, toStorable } from "../../domain/transcription/Piece.ts"
import type { AudioDecoder } from "../../ports/AudioDecoder.ts"
import type { JobStore } from "../../ports/JobStore.ts"
import {
  type RecognisePieces,
  type SampleRange,
  TranscriberError
} from "../../ports/Transcriber.ts"
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

const toTranscriberError = () =>
  new TranscriberError({
    reason: Failure.cases.StorageFailed.make({ detail: "the store of the pieces did not answer" })
  })

const encoder = new TextEncoder()

/** Makes the function that recognises the pieces of one recording. */
export const makeRecognisePieces =
  (
    { decoder, digest: { digestHex }, settings: { areReused, atOnce }, slots, store }: Shared,
    { assignment, audio }: { readonly assignment: TaskContext; readonly audio: DecodedAudio }
  ): RecognisePieces =>
  (plan) =>
    Effect.gen(function* () {
      const { job, keepPiece = () => Effect.void, onProgress = () => Effect.void } = assignment
      const { id, transcription, workspaceId } = job
      const { cut, isInContext = false, recognise, settings } = plan
      const hash = (text: string) => digestHex(Digest.sha256, encoder.encode(text))
      const planDigest = yield* hash(JSON.stringify([settings, cut]))
      const counted = transcription._tag === "Running" ? transcription.pieces : undefined
      const known = new Map(
        (yield* Effect.mapError(store.pieces(id), toTranscriberError)).map((piece) => [
          piece.index,
          piece
        ])
      )
      const results: Array<PieceResult> = []
      const count = cut.length
      const hashSound = (range: SampleRange) =>
        decoder.digest === undefined
          ? Effect.succeed(`${id} ${range.from} ${range.to}`)
          : Effect.mapError(decoder.digest(audio, range), toTranscriberError)
      let done = 0

      /** Returns the result of a piece that some job of the workspace has stored. */
      const find = Effect.fnUntraced(function* (index: number, digest: string) {
        const own = known.get(index)
        if (own?.digest === digest) return own.result
        if (!areReused) return undefined
        const found = yield* Effect.mapError(
          store.findPiece(workspaceId, digest),
          toTranscriberError
        )
        return found._tag === "Some" ? found.value.result : undefined
      })

      const recogniseOne = Effect.fnUntraced(function* (range: SampleRange, index: number) {
        const sound = yield* hashSound(range)
        const digest = yield* hash(JSON.stringify([sound, settings, isInContext ? id : null]))
        const found = yield* find(index, digest)
        const startMillis = millisAt(range.from)
        const endMillis = millisAt(range.to)
        const result =
          found ?? toStorable(yield* inSlot(recognise(range, results)), endMillis - startMillis)
        const isStored = known.get(index)?.digest === digest
        if (!isStored || !isCounted(counted, { plan: planDigest, count, index })) {
          const piece = { index, startMillis, endMillis, digest, result }
          const isReused = found !== undefined
          yield* keepPiece({ piece, plan: planDigest, count, isReused })
        }
        results[index] = result
        done += 1
        yield* onProgress(done / count)
      })

      const inSlot = <A, E>(work: Effect.Effect<A, E>) =>
        Effect.scoped(Effect.andThen(slots.hold(workspaceId), work))

      yield* Effect.forEach(cut, recogniseOne, {
        concurrency: isInContext ? 1 : Math.min(plan.atOnce ?? atOnce, atOnce),
        discard: true
      })
      return results
    })
