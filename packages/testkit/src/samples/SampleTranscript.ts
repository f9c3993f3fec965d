/** Small and large sample transcripts, and sample corrections from the corrections machine. */

import {
  type Corrected,
  type CorrectionDecision,
  type CorrectionRequest,
  decide,
  type Overlay,
  type RequestedCorrection,
  type SegmentReading,
  State,
  type TranscriptOutline
} from "@verbatim/core/correction"
import type { Segment, Transcript } from "@verbatim/core/transcription"
import { Option, Result } from "effect"
import { apiKeyId, correctionId, jobId, userId } from "./Ids.ts"
import { later } from "./SampleWorkspace.ts"

const segmentOf = (index: number, text: string): Segment => ({
  startMillis: index * 1_000,
  endMillis: index * 1_000 + 900,
  speaker: `speaker_${index % 2}`,
  text
})

/** Creates a transcript with one segment per text. */
export const transcriptOf = (texts: ReadonlyArray<string>): Transcript => ({
  durationMillis: texts.length * 1_000,
  language: "en",
  segments: texts.map((text, index) => segmentOf(index, text))
})

/** A transcript with words and their timestamps. */
export const transcript: Transcript = {
  durationMillis: 61_234,
  language: "en",
  segments: [
    {
      ...segmentOf(0, "Hello there."),
      words: [
        { startMillis: 0, endMillis: 400, text: "Hello" },
        { startMillis: 400, endMillis: 900, text: "there." }
      ]
    },
    segmentOf(1, "General remarks.")
  ]
}

/** Creates a transcript with at least this many bytes of JSON, and characters of 1 to 4 bytes. */
export const largeTranscript = (byteLength: number): Transcript => {
  const bytesEach = 130
  const texts = Array.from(
    { length: Math.ceil(byteLength / bytesEach) },
    // Because the lengths of the texts vary, a store that cuts JSON at a fixed length splits
    // characters.
    (_, index) => `${"é日🎙".repeat(4)} ${"x".repeat(index % 7)} segment ${index}, spoken`
  )
  return transcriptOf(texts)
}

/** The outline of a transcript that is long enough for every sample. */
const outline: TranscriptOutline = {
  segments: 120_000,
  textLength: 600_000,
  speakers: ["speaker_0", "speaker_1"]
}

/** Returns a job's empty corrections. */
export const recognised = (number: number): State =>
  State.cases.Recognised.make({ id: jobId(number), outline })

export const nameSpeaker = (name: string | null, speaker = "speaker_0"): RequestedCorrection => ({
  _tag: "Change",
  change: { speakers: [{ speaker, name }], segments: [] }
})

/** A change to segments. */
export const reading = (segments: ReadonlyArray<SegmentReading>): RequestedCorrection => ({
  _tag: "Change",
  change: { speakers: [], segments }
})

export const correctText = (index: number, text: string | null): RequestedCorrection =>
  reading([{ index, text, speaker: null }])

/** A change that restores an earlier version. */
export const restoreVersion = (version: number, overlay: Overlay): RequestedCorrection => ({
  _tag: "GoBack",
  version,
  overlay
})

/** Returns the next version, with the given number in its id. Fails if the change has no effect. */
export const correct = (
  state: State,
  requested: RequestedCorrection,
  {
    number,
    request = null
  }: { readonly number: number; readonly request?: CorrectionRequest | null }
): CorrectionDecision => {
  const author = {
    id: correctionId(number),
    at: later(number),
    userId: userId(1),
    keyId: number % 2 === 0 ? null : apiKeyId(1),
    request
  }
  return Option.getOrThrow(Result.getOrThrow(decide(state, { author, requested })))
}

/** Applies the changes in order, and returns each version with the resulting corrections. */
export const correctInOrder = (
  state: State,
  overrides: ReadonlyArray<RequestedCorrection>
): ReadonlyArray<CorrectionDecision> => {
  const decisions: Array<CorrectionDecision> = []
  let last: Corrected | State = state
  for (const [index, requested] of overrides.entries()) {
    const decision: CorrectionDecision = correct(last, requested, { number: index + 1 })
    decisions.push(decision)
    last = decision.next
  }
  return decisions
}
