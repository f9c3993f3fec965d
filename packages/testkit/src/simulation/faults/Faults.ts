/**
 * All faults, each with its lowest and highest rate per opportunity. The seed enables each fault
 * with a probability of 50 %, at a random rate in this range, and decides when it strikes. If a run
 * is repeated with only some of its faults, they keep their rates.
 */
import { type Dice, dice } from "../clock/Seed.ts"
import type { Trace } from "../record/Trace.ts"

/** The lowest and the highest rate of each kind of fault. */
const catalogue = {
  // A call to a store fails before it takes effect.
  "store refuses": [0.01, 0.15],
  // A call takes effect, but its caller gets an error.
  "store loses its answer": [0.01, 0.15],
  // A call takes up to nine seconds.
  "store is slow": [0.01, 0.15],
  // A call neither takes effect nor gets an answer.
  "store hangs": [0.005, 0.05],
  // A call takes effect, but is never answered.
  "store hangs after writing": [0.005, 0.05],
  // Every call fails or hangs for up to 50 seconds.
  "store is out": [0.2, 1],
  // Another database server takes over, with a clock up to 90 s off the previous one.
  "store's clock steps": [0.05, 0.5],
  // The network delivers a call a second time.
  "store is called twice": [0.01, 0.2],
  // A preset is not written because of contention.
  "preset store is contended": [0.05, 0.4],
  // Another caller has just changed the preset.
  "preset is superseded": [0.05, 0.4],
  // A renewal fails before it takes effect.
  "renewal fails": [0.05, 0.6],
  // Leases are renewed, but the response is late.
  "renewal is answered late": [0.05, 0.5],
  // A process crashes between any two steps.
  "process crashes": [0.000_05, 0.001],
  // A process crashes just before a call.
  "process crashes before a call": [0.003, 0.04],
  // A process crashes before it gets the response.
  "process crashes after a call": [0.003, 0.04],
  // A process crashes soon after its start.
  "process crashes again and again": [0.05, 0.5],
  // A process pauses for up to ten seconds.
  "process pauses": [0.05, 0.5],
  // A process pauses for 30 to 90 s.
  "process pauses beyond its leases": [0.02, 0.3],
  // A process pauses just before a call.
  "process pauses before a call": [0.002, 0.04],
  // A process is stopped, and another one starts.
  "process is stopped": [0.02, 0.3],
  // A timer takes up to twice as long, or up to 4 s longer.
  "timers are late": [0.01, 0.2],
  // A process's wall clock is up to two minutes off.
  "clock is off": [0.3, 1],
  // A process's wall clock jumps by up to a minute.
  "clock jumps": [0.05, 0.4],
  // A call to the media store fails before it takes effect.
  "media store refuses": [0.02, 0.25],
  // Media is stored, but the caller gets an error.
  "media store loses its answer": [0.02, 0.25],
  // A call to the media store takes up to ten seconds.
  "media store is slow": [0.05, 0.4],
  // Stored media is missing when it is opened.
  "media is not to be found": [0.02, 0.2],
  // The client disconnects during its upload.
  "upload is aborted": [0.05, 0.4],
  // The media host's name does not resolve.
  "media host is unknown": [0.05, 0.4],
  // The media host does not respond.
  "media host is unreachable": [0.05, 0.5],
  // A download takes up to a minute.
  "media host drips": [0.05, 0.5],
  // A download breaks off.
  "media host cuts off": [0.05, 0.5],
  // The media behind a URL has changed.
  "media changes": [0.1, 0.5],
  // No decoder can read the media.
  "media is poison": [0.05, 0.3],
  // Every process that recognises the media crashes.
  "media kills its process": [0.05, 0.3],
  // The media contains no speech.
  "media is silent": [0.05, 0.3],
  // The decoder is not available.
  "decoder fails": [0.05, 0.4],
  // Transcription has to wait until the engine is ready.
  "engine is not ready": [0.1, 1],
  "engine fails": [0.05, 0.5],
  // The speech engine hangs, and fails after minutes.
  "engine hangs": [0.02, 0.2],
  // The speech engine takes longer than a lease.
  "engine is late": [0.05, 0.4],
  // The speech engine dies with a defect.
  "engine dies": [0.02, 0.2],
  // The end of the speech is missing.
  "transcript is partial": [0.05, 0.3],
  // Segments are out of order and in another language.
  "transcript is wrong": [0.05, 0.3],
  // The text contains characters that stores and formats treat differently.
  "transcript is poison": [0.05, 0.4],
  // The summarizer fails, half the time permanently.
  "summarizer fails": [0.2, 0.95],
  // The summarizer hangs, and fails after minutes.
  "summarizer hangs": [0.02, 0.2],
  // A receiver responds with 500, 404, 410 or 429.
  "receiver refuses": [0.05, 0.7],
  // A receiver responds with 302.
  "receiver redirects": [0.02, 0.3],
  // The connection breaks before the request arrives.
  "receiver resets before": [0.05, 0.6],
  // The request is processed, then the connection breaks.
  "receiver resets after": [0.05, 0.6],
  // The request is processed, but never answered.
  "receiver times out": [0.05, 0.5],
  // A receiver takes up to 25 seconds to respond.
  "receiver drips": [0.05, 0.5],
  // A receiver reads the job before it responds.
  "receiver calls back": [0.1, 0.6],
  "listener fails": [0.2, 0.95],
  // A listener dies with a defect.
  "listener dies": [0.05, 0.5],
  // A listener never returns.
  "listener hangs": [0.05, 0.6],
  // A listener takes up to 25 seconds.
  "listener is slow": [0.05, 0.5],
  // A process crashes while its listener runs.
  "listener ends its process": [0.05, 0.5],
  // A process crashes after its listener returned, before the result is written.
  "process crashes after its listener": [0.05, 0.5],
  // A client repeats requests that did not succeed.
  "client retries": [0.3, 1],
  // A client disconnects before the response.
  "client goes away": [0.02, 0.2],
  // Two equal requests with the same key arrive concurrently.
  "client sends twice": [0.2, 1],
  // A key is revoked while it is in use.
  "key is revoked": [0.3, 1],
  // Minutes are added and subtracted while jobs arrive.
  "balance changes": [0.3, 1],
  // A process with a new database opens the run's media store.
  "an empty database has the media": [0.5, 1],
  // A process with a restored copy of the database opens the run's media store.
  "a copied database has the media": [0.5, 1],
  // A request contains text that stores and headers treat differently.
  "request is poison": [0.1, 0.5]
} as const

/**
 * The faults that also occur after most faults have ended, and in the days after the run, when most
 * summaries are written.
 */
const lateFaults: ReadonlyArray<string> = [
  "summarizer fails",
  "an empty database has the media",
  "a copied database has the media"
]

export type FaultName = keyof typeof catalogue

/** All fault names, in catalogue order. */
export const faultNames = Object.keys(catalogue) as ReadonlyArray<FaultName>

/** Decides when each of a run's faults strikes. */
export interface Faults {
  /**
   * Decides whether a fault happens now. The trace records the operation and the affected actor.
   */
  readonly strikes: (name: FaultName, whom: string, where?: string) => boolean
  /** Turns off all faults, except those that `rage` turns on again. */
  readonly calm: () => void
  /**
   * Turns faults on again for actors with names that start with this string. Null turns them off.
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

/** One in this many seeds has no faults, and every job must succeed. */
const calmPeriod = 16

/** Draws a rate on a logarithmic scale, because rates span several orders of magnitude. */
const rateOf = (name: FaultName, chance: Dice): number => {
  const [rateMin, rateMax] = catalogue[name]
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
      const isLate = lateFaults.includes(name)
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
