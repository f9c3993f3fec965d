/**
 * All faults, each with its lowest and highest rate per opportunity. The seed enables each fault
 * with a probability of 50 %, at a random rate in this range, and decides when it strikes. When a
 * run is repeated with only some of its faults, these faults strike as often as before.
 */
import { type Dice, dice } from "../clock/Seed.ts"
import type { Trace } from "../record/Trace.ts"

/** One kind of fault. */
export interface FaultKind {
  /** The fault's effect, as described in a trace. */
  readonly means: string
  readonly rateMin: number
  readonly rateMax: number
  /** Whether the fault also occurs once most faults have ended, and in the days after the run. */
  readonly isLate?: boolean
}

const kind = (means: string, rateMin: number, rateMax: number): FaultKind => ({
  means,
  rateMin,
  rateMax
})

const catalogue = {
  "store refuses": kind("a call to a store fails before it takes effect", 0.01, 0.15),
  "store loses its answer": kind("a call takes effect, but its caller gets an error", 0.01, 0.15),
  "store is slow": kind("a call takes up to nine seconds", 0.01, 0.15),
  "store hangs": kind("a call never takes effect and is never answered", 0.005, 0.05),
  "store hangs after writing": kind("a call takes effect, but is never answered", 0.005, 0.05),
  "store is out": kind("every call fails or hangs for up to 50 seconds", 0.2, 1),
  "store's clock steps": kind(
    "another database server takes over, with a clock up to 90 s off the previous one",
    0.05,
    0.5
  ),
  "store is called twice": kind("the network delivers a call a second time", 0.01, 0.2),
  "preset store is contended": kind("a preset is not written because of contention", 0.05, 0.4),
  "preset is superseded": kind("another caller has just changed the preset", 0.05, 0.4),
  "renewal fails": kind("a renewal fails before it takes effect", 0.05, 0.6),
  "renewal is answered late": kind("leases are renewed, but the response is late", 0.05, 0.5),
  "process crashes": kind("a process crashes between any two steps", 0.000_05, 0.001),
  "process crashes before a call": kind("a process crashes just before a call", 0.003, 0.04),
  "process crashes after a call": kind(
    "a process crashes before it gets the response",
    0.003,
    0.04
  ),
  "process crashes again and again": kind("a process crashes soon after its start", 0.05, 0.5),
  "process pauses": kind("a process pauses for up to ten seconds", 0.05, 0.5),
  "process pauses beyond its leases": kind("a process pauses for 30 to 90 s", 0.02, 0.3),
  "process pauses before a call": kind("a process pauses just before a call", 0.002, 0.04),
  "process is stopped": kind("a process is stopped, and another one starts", 0.02, 0.3),
  "timers are late": kind("a timer takes up to twice as long, or up to 4 s longer", 0.01, 0.2),
  "clock is off": kind("a process's wall clock is up to two minutes off", 0.3, 1),
  "clock jumps": kind("a process's wall clock jumps by up to a minute", 0.05, 0.4),
  "media store refuses": kind("a call to the media store fails before it takes effect", 0.02, 0.25),
  "media store loses its answer": kind("media is stored, but the caller gets an error", 0.02, 0.25),
  "media store is slow": kind("a call to the media store takes up to ten seconds", 0.05, 0.4),
  "media is not to be found": kind("stored media is missing when it is opened", 0.02, 0.2),
  "upload is aborted": kind("the client disconnects during its upload", 0.05, 0.4),
  "media host is unknown": kind("the media host's name does not resolve", 0.05, 0.4),
  "media host is unreachable": kind("the media host does not respond", 0.05, 0.5),
  "media host drips": kind("a download takes up to a minute", 0.05, 0.5),
  "media host cuts off": kind("a download breaks off", 0.05, 0.5),
  "media changes": kind("the media behind a URL has changed", 0.1, 0.5),
  "media is poison": kind("no decoder can read the media", 0.05, 0.3),
  "media kills its process": kind("recognising the media crashes every process", 0.05, 0.3),
  "media is silent": kind("the media contains no speech", 0.05, 0.3),
  "decoder fails": kind("the decoder is not available", 0.05, 0.4),
  "engine is not ready": kind("transcription has to wait until the engine is ready", 0.1, 1),
  "engine fails": kind("the speech engine fails", 0.05, 0.5),
  "engine hangs": kind("the speech engine hangs, and fails after minutes", 0.02, 0.2),
  "engine is late": kind("the speech engine takes longer than a lease", 0.05, 0.4),
  "engine dies": kind("the speech engine dies with a defect", 0.02, 0.2),
  "transcript is partial": kind("the end of the speech is missing", 0.05, 0.3),
  "transcript is wrong": kind("segments are out of order and in another language", 0.05, 0.3),
  "transcript is poison": kind(
    "the text contains characters that stores and formats treat differently",
    0.05,
    0.4
  ),
  // Most summaries are written after the other faults have ended.
  "summarizer fails": {
    ...kind("the summarizer fails, half the time permanently", 0.2, 0.95),
    isLate: true
  },
  "summarizer hangs": kind("the summarizer hangs, and fails after minutes", 0.02, 0.2),
  "receiver refuses": kind("a receiver responds with 500, 404, 410 or 429", 0.05, 0.7),
  "receiver redirects": kind("a receiver responds with 302", 0.02, 0.3),
  "receiver resets before": kind("the connection breaks before the request arrives", 0.05, 0.6),
  "receiver resets after": kind("the request is processed, then the connection breaks", 0.05, 0.6),
  "receiver times out": kind("the request is processed, but never answered", 0.05, 0.5),
  "receiver drips": kind("a receiver takes up to 25 seconds to respond", 0.05, 0.5),
  "receiver calls back": kind("a receiver reads the job before it responds", 0.1, 0.6),
  "listener fails": kind("a listener fails", 0.2, 0.95),
  "listener dies": kind("a listener dies with a defect", 0.05, 0.5),
  "listener hangs": kind("a listener never returns", 0.05, 0.6),
  "listener is slow": kind("a listener takes up to 25 seconds", 0.05, 0.5),
  "listener ends its process": kind("a process crashes while its listener runs", 0.05, 0.5),
  "process crashes after its listener": kind(
    "a process crashes after its listener returned, before the result is written",
    0.05,
    0.5
  ),
  "client retries": kind("a client repeats requests that did not succeed", 0.3, 1),
  "client goes away": kind("a client disconnects before the response", 0.02, 0.2),
  "client sends twice": kind("two equal requests with the same key arrive concurrently", 0.2, 1),
  "key is revoked": kind("a key is revoked while it is in use", 0.3, 1),
  "balance changes": kind("minutes are added and subtracted while jobs arrive", 0.3, 1),
  "an empty database has the media": {
    ...kind("a process with a new database opens the run's media store", 0.5, 1),
    isLate: true
  },
  "a copied database has the media": {
    ...kind("a process with a restored copy of the database opens the run's media store", 0.5, 1),
    isLate: true
  },
  "request is poison": kind(
    "a request contains text that stores and headers treat differently",
    0.1,
    0.5
  )
} as const satisfies Readonly<Record<string, FaultKind>>

export type FaultName = keyof typeof catalogue

/** All fault names, in catalogue order. */
export const faultNames = Object.keys(catalogue) as ReadonlyArray<FaultName>

/** Decides when each of a run's faults strikes. */
export interface Faults {
  /**
   * Decides whether a fault happens now. The trace records the operation and the affected actor.
   */
  readonly strikes: (name: FaultName, whom: string, where?: string) => boolean
  /** Turns off all faults except those turned back on with `rage`. */
  readonly calm: () => void
  /**
   * Turns faults back on for actors whose names start with the string. Null turns off these faults
   * again.
   */
  readonly rage: (whom: string | null) => void
  readonly isCalm: () => boolean
  readonly active: ReadonlyArray<FaultName>
  /** How often each fault struck. */
  readonly counts: ReadonlyMap<FaultName, number>
}

interface Source {
  readonly rate: number
  readonly chance: Dice
}

const half = 0.5

/** One seed in this many has no faults. In such a run, every job must succeed. */
const calmPeriod = 16

/** Draws a log-uniform rate, because rates span several orders of magnitude. */
const rateOf = (name: FaultName, chance: Dice): number => {
  const { rateMax, rateMin } = catalogue[name]
  return rateMin * (rateMax / rateMin) ** chance.next()
}

/** Chooses the faults for a seed from the allowed faults. */
export const make = (
  seed: number,
  {
    allowed = faultNames,
    trace
  }: {
    readonly allowed?: ReadonlyArray<FaultName> | undefined
    readonly trace: Trace
  }
): Faults => {
  const sources = new Map<FaultName, Source>()
  for (const name of seed % calmPeriod === 0 ? [] : faultNames) {
    const chance = dice(seed, `fault ${name}`)
    const [isOn, rate] = [chance.chance(half), rateOf(name, chance)]
    if (isOn && allowed.includes(name)) sources.set(name, { rate, chance })
  }
  const counts = new Map<FaultName, number>()
  let isCalm = false
  let raging: string | null = null
  return {
    strikes: (name, whom, where) => {
      const source = sources.get(name)
      const { isLate = false }: FaultKind = catalogue[name]
      const isSpared = isCalm && !isLate && (raging === null || !whom.startsWith(raging))
      if (isSpared || source === undefined || !source.chance.chance(source.rate)) return false
      counts.set(name, (counts.get(name) ?? 0) + 1)
      trace.add(whom, where === undefined ? `! ${name}` : `! ${name}: ${where}`)
      return true
    },
    calm: () => {
      isCalm = true
    },
    rage: (whom) => {
      raging = whom
    },
    isCalm: () => isCalm,
    active: [...sources.keys()],
    counts
  }
}
