/**
 * What a run of the cache of pins is like. Most of what can go wrong needs a coincidence, so some
 * runs are made of little else: questions that cross, programs that die of presets that come and go
 * and know nothing, clocks that are set back before a sleep.
 */
import type { Dice } from "../clock/Seed.ts"

/** The chances of a run. Spans and steps are milliseconds. */
export interface Mood {
  /** Whether most questions travel so long that they overlap. */
  readonly isSlow: boolean
  /** Whether most changes take a preset away, or bring it back. */
  readonly isFickle: boolean
  readonly ages: ReadonlyArray<number>
  readonly graces: ReadonlyArray<number>
  readonly spans: ReadonlyArray<number>
  readonly changeMax: number
  /** The references that are wanted most. */
  readonly favourites: number
  readonly restartMax: number
  /** The share of programs that do not survive an error. */
  readonly deathChance: number
  readonly sleepMax: number
  readonly sleeps: ReadonlyArray<number>
  readonly stepMax: number
  readonly steps: ReadonlyArray<number>
  /** The same of clocks that are set while the program starts. */
  readonly restartSteps: ReadonlyArray<number>
}

/** How far the clock on the wall is set back. */
const backSteps = [-5_000_000, -70_000, -1_000] as const

const usual: Mood = {
  isSlow: false,
  isFickle: false,
  ages: [0, 20, 1_000, 60_000],
  graces: [0, 5_000, 3_600_000],
  spans: [3_000, 60_000, 600_000, 20_000_000],
  changeMax: 20,
  favourites: 3,
  restartMax: 2,
  deathChance: 0.03,
  sleepMax: 2,
  sleeps: [700, 90_000, 5_000_000],
  stepMax: 3,
  steps: [...backSteps, 1_000, 70_000, 5_000_000],
  restartSteps: backSteps
}

const crossing: Mood = {
  ...usual,
  isSlow: true,
  ages: [400, 1_000, 2_000],
  spans: [10_000, 30_000],
  changeMax: 40,
  favourites: 1
}

/** Processes die, most of them of an error, and the next ones know nothing. */
const mortal: Mood = {
  ...usual,
  isFickle: true,
  ages: [1_000, 60_000],
  graces: [3_600_000],
  spans: [60_000, 600_000],
  changeMax: 60,
  favourites: 1,
  restartMax: 12,
  deathChance: 0.4,
  sleepMax: 0,
  stepMax: 0,
  // Less than the age of most pins: otherwise they would lie ahead, and not be used.
  restartSteps: [-20_000, -5_000]
}

/** The machine sleeps again and again, and its clock is only ever set back. */
const drowsy: Mood = {
  ...usual,
  ages: [60_000],
  spans: [600_000],
  changeMax: 60,
  favourites: 1,
  restartMax: 0,
  sleepMax: 6,
  sleeps: [20_000, 40_000],
  stepMax: 12,
  steps: backSteps
}

const moods: ReadonlyArray<readonly [share: number, mood: Mood]> = [
  [0.25, crossing],
  [0.2, mortal],
  [0.15, drowsy]
]

/** What this run is like. */
export const drawMood = (chance: Dice): Mood => {
  let drawn = chance.next()
  for (const [share, mood] of moods) {
    if (drawn < share) return mood
    drawn -= share
  }
  return usual
}
