/**
 * Milliseconds to render a transcript of ten hours, beside those of a hand-written peer that does
 * the least one can do with it: writing it as JSON and reading that back.
 */
import { Modifier, render } from "@verbatim/core/rendering/Modifier"
import type { Segment, Transcript } from "@verbatim/core/transcription/Transcript"
import { alternate, median, ratio } from "../Rounds.ts"

/** A segment each 0.3 s, as recognisers that stream give them. */
const segmentCount = 120_000
const segmentMillis = 300
const turnSegments = 40

const warmUpCount = 2
const roundCount = 7

const english =
  "The boats|have left|this morning,|and nobody|knows when|they return.|It rained|all day."
const chinese = "船开了，|今天|早上没有人|知道他们|什么时候|回来。"

interface Speech {
  readonly language: string
  readonly written: string
  readonly speakerCount: number
  readonly hasWords: boolean
}

const speeches: Readonly<Record<string, Speech>> = {
  "English, two speakers": {
    language: "en",
    written: english,
    speakerCount: 2,
    hasWords: false
  },
  "English, one speaker": { language: "en", written: english, speakerCount: 1, hasWords: false },
  "English, words timed": { language: "en", written: english, speakerCount: 2, hasWords: true },
  "Chinese, two speakers": { language: "zh", written: chinese, speakerCount: 2, hasWords: false }
}

const transcriptOf = ({ hasWords, language, speakerCount, written }: Speech): Transcript => {
  const texts = written.split("|")
  const segments = Array.from({ length: segmentCount }, (_, index): Segment => {
    const startMillis = index * segmentMillis
    const text = texts[index % texts.length] ?? ""
    const speaker = `speaker_${Math.floor(index / turnSegments) % speakerCount}`
    const segment = { startMillis, endMillis: startMillis + segmentMillis, speaker, text }
    return hasWords ? { ...segment, words: wordsOf(segment) } : segment
  })
  return { language, durationMillis: segmentCount * segmentMillis, segments }
}

const wordsOf = ({ startMillis, text }: Segment) =>
  text.split(" ").map((word, index) => ({
    startMillis: startMillis + index * 150,
    endMillis: startMillis + index * 150 + 140,
    text: word
  }))

const timed = (run: () => unknown): number => {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** Prints each form for each speech: our time, the peer's, and the median of their ratios. */
export const measureRenderings = async (): Promise<void> => {
  for (const [name, speech] of Object.entries(speeches)) {
    const transcript = transcriptOf(speech)
    console.log(`${name}: ${segmentCount} segments`)
    for (const modifier of Modifier.literals) {
      const sides = {
        ours: () => render(modifier, transcript),
        peer: () => JSON.parse(JSON.stringify(transcript))
      }
      for (let count = 0; count < warmUpCount; count += 1) sides.ours()
      const rounds = await alternate(roundCount, async (side) => timed(sides[side]))
      const [ours, peer] = [median(rounds.ours), median(rounds.peer)].map(Math.round)
      const times = `${ratio(rounds).toFixed(2)}x  (${ours} ms, JSON ${peer} ms)`
      console.log(`  ${modifier.padEnd(16)}${times}`)
    }
  }
}
