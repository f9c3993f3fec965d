/** Chooses the ranges of a piece from which voiceprints are made. Pure. */
import type { PieceSegment } from "@verbatim/core/transcription"

/** A range within a piece. */
export type MillisRange = Pick<PieceSegment, "startMillis" | "endMillis">

/** A longer range could contain two voices. */
const rangeMillisMax = 3_000

/** A shorter range says little about the voice. */
const rangeMillisMin = 500

/** Divides each segment into equal ranges. Segments that are too short have none. */
export const toVoiceRanges = (segments: ReadonlyArray<MillisRange>): ReadonlyArray<MillisRange> =>
  segments.flatMap(({ endMillis, startMillis }) => {
    const length = endMillis - startMillis
    if (length < rangeMillisMin) return []
    const count = Math.ceil(length / rangeMillisMax)
    const at = (index: number) => startMillis + Math.round((length * index) / count)
    return Array.from({ length: count }, (_, index) => ({
      startMillis: at(index),
      endMillis: at(index + 1)
    }))
  })
