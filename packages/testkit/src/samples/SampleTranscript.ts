/** Sample transcripts, small and large. */
import type { Segment, Transcript } from "@verbatim/core/transcription"

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

/** A transcript whose segments have timed words. */
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

/**
 * Creates a transcript whose JSON has at least the given number of bytes, with characters of 1 to 4
 * bytes.
 */
export const largeTranscript = (byteLength: number): Transcript => {
  const bytesEach = 130
  const texts = Array.from(
    { length: Math.ceil(byteLength / bytesEach) },
    // Lengths vary, so that a store that cuts the JSON splits characters wherever it cuts.
    (_, index) => `${"é日🎙".repeat(4)} ${"x".repeat(index % 7)} segment ${index}, spoken`
  )
  return transcriptOf(texts)
}
