/**
 * Who said what: segments given to the voice that speaks most of their time, and cut where voices
 * change in the middle of one, as far as single words are timed. Pure.
 */
import type { Segment } from "@verbatim/core/transcription"
import type { Spoken, SpokenWord, Turn } from "./Protocol.ts"

type Timed = Pick<Turn, "startMillis" | "endMillis">

const overlap = (a: Timed, b: Timed): number =>
  Math.min(a.endMillis, b.endMillis) - Math.max(a.startMillis, b.startMillis)

/** The voice of a stretch: the one that has most of it, else the nearest. */
const voiceOf = (stretch: Timed, turns: ReadonlyArray<Turn>): number => {
  const shares = new Map<number, number>()
  let nearest: Turn | undefined
  for (const turn of turns) {
    const share = overlap(stretch, turn)
    if (share > 0) shares.set(turn.speaker, (shares.get(turn.speaker) ?? 0) + share)
    // Without an overlap this is how far away it is, below zero.
    if (nearest === undefined || share > overlap(stretch, nearest)) nearest = turn
  }
  const [most] = [...shares].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? nearest?.speaker ?? 0
}

interface Voiced extends Spoken {
  readonly voice: number
}

const joinWords = (words: ReadonlyArray<SpokenWord>, separator: string): Spoken => ({
  startMillis: words[0]?.startMillis ?? 0,
  endMillis: words.at(-1)?.endMillis ?? 0,
  text: words.map(({ text }) => text).join(separator),
  words
})

/** A segment, cut where the voice changes. */
const byVoice = (
  spoken: Spoken,
  options: { readonly turns: ReadonlyArray<Turn>; readonly separator: string }
): ReadonlyArray<Voiced> => {
  const { separator, turns } = options
  const { words } = spoken
  if (words === undefined || words.length < 2) {
    return [{ ...spoken, voice: voiceOf(spoken, turns) }]
  }
  const runs: Array<{ readonly voice: number; readonly words: Array<SpokenWord> }> = []
  for (const word of words) {
    const voice = voiceOf(word, turns)
    const last = runs.at(-1)
    if (last?.voice === voice) last.words.push(word)
    else runs.push({ voice, words: [word] })
  }
  const [only, ...others] = runs
  if (only !== undefined && others.length === 0) return [{ ...spoken, voice: only.voice }]
  return runs.map((run) => ({ ...joinWords(run.words, separator), voice: run.voice }))
}

/** Segments with their speakers, who are numbered in the order in which they appear. */
export const withSpeakers = (
  spoken: ReadonlyArray<Spoken>,
  options: {
    /** Without turns, one speaker says everything. */
    readonly turns: ReadonlyArray<Turn>
    /** What stands between two words of the language. */
    readonly separator: string
  }
): ReadonlyArray<Segment> => {
  const numbers = new Map<number, number>()
  const numberOf = (voice: number): number => {
    const number = numbers.get(voice) ?? numbers.size
    numbers.set(voice, number)
    return number
  }
  return spoken
    .flatMap((each) => byVoice(each, options))
    .map(({ voice, ...segment }) => ({ ...segment, speaker: `speaker_${numberOf(voice)}` }))
}
