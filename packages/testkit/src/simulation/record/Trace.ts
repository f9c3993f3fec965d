/**
 * Records the events of a run in order. The hash covers every entry, and is the same for every run
 * of a seed. Ids get short names, which make it easier to follow a job.
 */

/** One event with its actor and time. */
export interface Entry {
  /** Milliseconds since the run began. */
  readonly atMillis: number
  readonly by: string
  readonly what: string
}

/** The trace of a run, to which every part of the simulation adds its events. */
export interface Trace {
  readonly add: (by: string, what: string) => void
  /** Adds a number to the hash, but no entry to the trace. */
  readonly mix: (value: number) => void
  readonly entries: () => ReadonlyArray<Entry>
  readonly hash: () => string
}

const prime = 0x01000193

/** Creates an empty trace. `now` returns the milliseconds since the run began. */
export const make = (now: () => number): Trace => {
  const entries: Array<Entry> = []
  let high = 0x811c9dc5
  let low = 0xdeadbeef
  const mix = (value: number) => {
    high = Math.imul(high ^ value, prime)
    low = Math.imul(low ^ value, 0x5bd1e995) ^ (low >>> 15)
  }
  const mixText = (text: string) => {
    for (let index = 0; index < text.length; index++) mix(text.charCodeAt(index))
  }
  const hex = (value: number) => (value >>> 0).toString(16).padStart(8, "0")
  return {
    add: (by, what) => {
      const entry = { atMillis: now(), by, what }
      entries.push(entry)
      mix(entry.atMillis)
      mixText(by)
      mixText(what)
    },
    mix,
    entries: () => entries,
    hash: () => hex(high) + hex(low)
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Formats the trace as lines: time, actor, event, and each UUID as `#1`, `#2`, … in order. */
export const lines = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> => {
  const names = new Map<string, string>()
  const nameOf = (id: string): string => {
    const name = names.get(id) ?? `#${names.size + 1}`
    names.set(id, name)
    return name
  }
  return entries.map(({ atMillis, by, what }) => {
    const seconds = (atMillis / 1000).toFixed(3).padStart(9)
    return `${seconds}  ${by.padEnd(12)} ${what.replace(uuid, nameOf)}`
  })
}
