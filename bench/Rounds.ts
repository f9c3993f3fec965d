/**
 * Measures two sides alternately, so that other work on the machine affects both equally. Each
 * round's ratio comes from two successive periods.
 */

/** The measurements of both sides, round by round. */
export interface Rounds<A> {
  readonly ours: ReadonlyArray<A>
  readonly peer: ReadonlyArray<A>
}

/** Our program, or the hand-written one. */
export type Side = keyof Rounds<unknown>

/** Measures both sides alternately for a given number of rounds. */
export const alternate = async <A>(
  count: number,
  measure: (side: Side) => Promise<A>
): Promise<Rounds<A>> => {
  const ours: Array<A> = []
  const peer: Array<A> = []
  for (let round = 0; round < count; round += 1) {
    ours.push(await measure("ours"))
    peer.push(await measure("peer"))
  }
  return { ours, peer }
}

/** Returns the median, which is the lower of the two middle values for an even number of values. */
export const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN

/** Returns the median of the rounds' ratios. */
export const ratio = ({ ours, peer }: Rounds<number>): number =>
  median(ours.map((value, round) => value / (peer[round] ?? Number.NaN)))

/** Requests or jobs per second, and the CPU time per request or job. */
export interface Cost {
  readonly perSecond: number
  readonly cpuMicros: number
}

/** Prints both sides' medians, and the median of their ratios. */
export const printCosts = (rounds: Rounds<Cost>): void => {
  for (const [name, figure] of [
    ["per second", "perSecond"],
    ["µs of CPU", "cpuMicros"]
  ] as const) {
    const ours = rounds.ours.map((each) => each[figure])
    const peer = rounds.peer.map((each) => each[figure])
    console.log(
      `${name.padEnd(14)} ${median(ours).toFixed(0)}, the peer ${median(peer).toFixed(0)}, ` +
        `ratio ${ratio({ ours, peer }).toFixed(2)}`
    )
  }
}
