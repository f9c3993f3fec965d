/**
 * Generates meetings from a seed. Each voice has a centre, and its voiceprints scatter around it.
 * Short spans are noisier, and some noises resemble no voice.
 */
import type { Voiceprint } from "#src/domain/transcription/Voiceprints"

/** Parameters for a generated meeting. */
export interface MeetingOptions {
  readonly seed: number
  readonly dimensions: number
  readonly minutes: number
  readonly voiceCount: number
  /** Average cosine similarity between two voiceprints from one voice. */
  readonly within: number
  /** Average cosine similarity between the centres of two voices. */
  readonly between: number
}

/** A pseudorandom number generator (mulberry32), from 0 to 1. */
const makeRandom = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const makeNormal = (random: () => number) => (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Fraction of speaker turns with noise that resembles no voice. */
const phantomShare = 0.02

/** Generates a meeting's voiceprints, each for at most 3 s of audio. */
export const makeMeeting = (options: MeetingOptions): ReadonlyArray<Voiceprint> => {
  const { between, dimensions, minutes, seed, voiceCount, within } = options
  const random = makeRandom(seed)
  const normal = makeNormal(random)
  const randomVector = () =>
    Array.from({ length: dimensions }, () => normal() / Math.sqrt(dimensions))
  const common = randomVector()
  const makeCentre = () =>
    randomVector().map(
      (each, at) => Math.sqrt(1 - between) * each + Math.sqrt(between) * (common[at] ?? 0)
    )
  const voices = Array.from({ length: voiceCount }, () => ({
    centre: makeCentre(),
    talkativeness: 0.3 + random()
  }))
  const voiceprints: Array<Voiceprint> = []
  let now = 0
  const speak = (centre: ReadonlyArray<number> | undefined, millis: number) => {
    const count = Math.ceil(millis / 3_000)
    for (let index = 0; index < count; index++) {
      const length = millis / count
      const likeness = within * Math.min(1, 0.5 + length / 4_000)
      const noise = Math.sqrt((1 - likeness) / likeness)
      const own = randomVector().map((each, at) =>
        centre === undefined ? each : (centre[at] ?? 0) + noise * each
      )
      const startMillis = Math.round(now + index * length)
      const endMillis = Math.round(now + (index + 1) * length)
      voiceprints.push({ startMillis, endMillis, vector: Float32Array.from(own) })
    }
    now += millis + 200 + 500 * random()
  }
  let last: (typeof voices)[number] | undefined
  while (now < minutes * 60_000) {
    const others = voices.filter((voice) => voice !== last || voiceCount === 1)
    // Talkative voices are chosen more often.
    let drawn = random() * others.reduce((sum, { talkativeness }) => sum + talkativeness, 0)
    last = others.find(({ talkativeness }) => {
      drawn -= talkativeness
      return drawn < 0
    })
    speak(last?.centre, Math.min(30_000, 600 + 1_500 * Math.exp(1 + normal())))
    if (random() < phantomShare) speak(undefined, 500 + 1_000 * random())
  }
  return voiceprints
}
