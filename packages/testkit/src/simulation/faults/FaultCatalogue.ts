/**
 * All faults, each with its lowest and highest rate per opportunity. A seed enables each fault with
 * a probability of one half, at a random rate in this range.
 */

/** One kind of fault. */
export interface FaultKind {
  /** The fault's effect, as described in a trace. */
  readonly means: string
  readonly rateMin: number
  readonly rateMax: number
  /** Whether the fault also strikes once most faults have ended, and in the days after the run. */
  readonly isLate?: boolean
}

const kind = (means: string, rateMin: number, rateMax: number): FaultKind => ({
  means,
  rateMin,
  rateMax
})

/** All faults by name. */
export const catalogue = {
  "store refuses": kind("a call to a store fails before it took effect", 0.01, 0.15),
  "store loses its answer": kind(
    "a call took effect, but its caller is told it failed",
    0.01,
    0.15
  ),
  "store is slow": kind("a call takes up to nine seconds", 0.01, 0.15),
  "store hangs": kind("a call is never answered and never takes effect", 0.005, 0.05),
  "store hangs after writing": kind("a call took effect, but is never answered", 0.005, 0.05),
  "store is out": kind("every call fails or hangs for up to 50 seconds", 0.2, 1),
  "store's clock steps": kind("another server takes over, up to 90 s off the last", 0.05, 0.5),
  "store is called twice": kind("the network delivers a call a second time", 0.01, 0.2),
  "preset store is contended": kind("a preset could not be written among others", 0.05, 0.4),
  "preset is superseded": kind("somebody else changed the preset just before", 0.05, 0.4),
  "renewal fails": kind("a renewal fails before it took effect", 0.05, 0.6),
  "renewal is answered late": kind("leases are renewed, but the answer takes its time", 0.05, 0.5),
  "process crashes": kind("a process ends between any two steps", 0.000_05, 0.001),
  "process crashes before a call": kind("a process ends just before a call", 0.003, 0.04),
  "process crashes after a call": kind("a process ends before it learns the answer", 0.003, 0.04),
  "process crashes again and again": kind("a process ends soon after its start", 0.05, 0.5),
  "process pauses": kind("a process stands still for up to ten seconds", 0.05, 0.5),
  "process pauses beyond its leases": kind("a process stands still for 30 to 90 s", 0.02, 0.3),
  "process pauses before a call": kind("a process stands still just before a call", 0.002, 0.04),
  "process is stopped": kind("a process is asked to stop, and another one started", 0.02, 0.3),
  "timers are late": kind("a sleep takes up to twice as long, and up to 4 s more", 0.01, 0.2),
  "clock is off": kind("the wall clock of a process is up to two minutes off", 0.3, 1),
  "clock jumps": kind("the wall clock of a process moves by up to a minute", 0.05, 0.4),
  "media store refuses": kind("the media store fails before it took effect", 0.02, 0.25),
  "media store loses its answer": kind(
    "media is stored, but the caller is told it failed",
    0.02,
    0.25
  ),
  "media store is slow": kind("the media store takes up to ten seconds", 0.05, 0.4),
  "media is not to be found": kind("stored media is not there when it is opened", 0.02, 0.2),
  "upload is aborted": kind("the client goes away in the middle of its upload", 0.05, 0.4),
  "media host is unknown": kind("the name of the media's host has no address", 0.05, 0.4),
  "media host is unreachable": kind("the media's host does not answer", 0.05, 0.5),
  "media host drips": kind("a download takes up to a minute", 0.05, 0.5),
  "media host cuts off": kind("a download ends in the middle", 0.05, 0.5),
  "media changes": kind("the media behind a URL is another one than before", 0.1, 0.5),
  "media is poison": kind("no decoder can read the media", 0.05, 0.3),
  "media kills its process": kind("no process survives to hear the media", 0.05, 0.3),
  "media is silent": kind("nothing is said in the media", 0.05, 0.3),
  "decoder fails": kind("the decoder is not available", 0.05, 0.4),
  "engine is not ready": kind("speech has to wait for the engine for a while", 0.1, 1),
  "engine fails": kind("the speech engine fails", 0.05, 0.5),
  "engine hangs": kind("the speech engine hangs, and fails after minutes", 0.02, 0.2),
  "engine is late": kind("the speech engine takes longer than a lease", 0.05, 0.4),
  "engine dies": kind("the speech engine breaks with a defect", 0.02, 0.2),
  "transcript is partial": kind("the end of the speech is missing", 0.05, 0.3),
  "transcript is wrong": kind("segments come in disorder, and in another language", 0.05, 0.3),
  "transcript is poison": kind("the text holds what stores and formats disagree about", 0.05, 0.4),
  // Most summaries are written after the other faults have ended.
  "summarizer fails": {
    ...kind("the summarizer fails, half the time permanently", 0.2, 0.95),
    isLate: true
  },
  "summarizer hangs": kind("the summarizer hangs, and fails after minutes", 0.02, 0.2),
  "receiver refuses": kind("a receiver answers 500, 404, 410 or 429", 0.05, 0.7),
  "receiver redirects": kind("a receiver answers 302", 0.02, 0.3),
  "receiver resets before": kind("the connection breaks before the request is there", 0.05, 0.6),
  "receiver resets after": kind("the request is processed, then the connection breaks", 0.05, 0.6),
  "receiver times out": kind("the request is processed, and never answered", 0.05, 0.5),
  "receiver drips": kind("a receiver takes up to 25 seconds to answer", 0.05, 0.5),
  "receiver calls back": kind("a receiver reads the job before it answers", 0.1, 0.6),
  "listener fails": kind("a listener says that it failed", 0.2, 0.95),
  "listener dies": kind("a listener breaks with a defect", 0.05, 0.5),
  "listener hangs": kind("a listener never returns", 0.05, 0.6),
  "listener is slow": kind("a listener takes up to 25 seconds", 0.05, 0.5),
  "listener ends its process": kind("a process dies in its listener", 0.05, 0.5),
  "process crashes after its listener": kind(
    "a process ends when its listener has returned, before that is written",
    0.05,
    0.5
  ),
  "client retries": kind("a client hands in again what it got no good answer for", 0.3, 1),
  "client goes away": kind("a client does not wait for the answer", 0.02, 0.2),
  "client sends twice": kind("two equal requests come at once under one key", 0.2, 1),
  "key is revoked": kind("a key is revoked while it is in use", 0.3, 1),
  "balance changes": kind("minutes are given and taken while jobs come in", 0.3, 1),
  "an empty database has the media": {
    ...kind("a process with a new database starts over the media of this one", 0.5, 1),
    isLate: true
  },
  "a copied database has the media": {
    ...kind("a process with a restored copy starts over the media of this one", 0.5, 1),
    isLate: true
  },
  "request is poison": kind(
    "a request carries text that stores and headers disagree about",
    0.1,
    0.5
  )
} as const satisfies Readonly<Record<string, FaultKind>>

/** The name of a fault. */
export type FaultName = keyof typeof catalogue

/** All fault names, in catalogue order. */
export const faultNames = Object.keys(catalogue) as ReadonlyArray<FaultName>
