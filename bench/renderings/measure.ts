/**
 * Measures how many milliseconds it takes to render a transcript of ten hours. The hand-written
 * peer does the minimum of work: it writes the transcript as JSON and reads that back.
 */

import { render } from "@verbatim/core/rendering"
import { isSpaced, Modifier, type Segment, type Transcript } from "@verbatim/core/transcription"
import { alternate, median, ratio } from "../Rounds.ts"

/** There is a segment every 0.3 s, as in the results of streaming recognisers. */
const segmentCount = 120_000
const segmentMillis = 300
const turnSegments = 40

const warmUpCount = 2
const roundCount = 7

const english =
  "The boats|have left|this morning,|and nobody|knows when|they return.|It rained|all day."
const chinese = "船开了，|今天|早上没有人|知道他们|什么时候|回来。"

/** A style of speech. */
interface Speech {
  readonly language: string
  readonly written: string
  readonly speakerCount: number
  readonly hasWords: boolean
}

/** The language and its words. */
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

/** Makes a transcript of the given length. */
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

/** Returns the milliseconds that a function takes. */
const timed = (run: () => unknown): number => {
  const start = performance.now()
  run()
  return performance.now() - start
}

/**
 * Splits texts only by the JavaScript engine's own dictionary. In languages without spaces, every
 * rendering that splits text into words takes at least this long.
 */
const findWords = ({ segments }: Transcript): number => {
  const segmenter = new Intl.Segmenter("en", { granularity: "word" })
  const turns = new Array<string>(Math.ceil(segments.length / turnSegments)).fill("")
  segments.forEach(({ text }, index) => {
    turns[Math.floor(index / turnSegments)] += text
  })
  let count = 0
  for (const turn of turns) for (const _ of segmenter.segment(turn)) count += 1
  return count
}

const compare = async (name: string, { ours, transcript }: Compared): Promise<void> => {
  const sides = { ours, peer: () => JSON.parse(JSON.stringify(transcript)) }
  for (let count = 0; count < warmUpCount; count += 1) sides.ours()
  const rounds = await alternate(roundCount, async (side) => timed(sides[side]))
  const [millis, peer] = [median(rounds.ours), median(rounds.peer)].map(Math.round)
  const times = `${ratio(rounds).toFixed(2)}x  (${millis} ms, JSON ${peer} ms)`
  console.log(`  ${name.padEnd(16)}${times}`)
}

interface Compared {
  readonly ours: () => unknown
  readonly transcript: Transcript
}

/** Prints our time, the peer's time, and the median ratio for each format and style of speech. */
export const measureRenderings = async (): Promise<void> => {
  for (const [name, speech] of Object.entries(speeches)) {
    const transcript = transcriptOf(speech)
    console.log(`${name}: ${segmentCount} segments`)
    for (const modifier of Modifier.literals) {
      await compare(modifier, { ours: () => render(modifier, transcript), transcript })
    }
    if (!isSpaced(speech.language)) {
      await compare("(words alone)", { ours: () => findWords(transcript), transcript })
    }
  }
}
