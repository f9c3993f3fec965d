/**
 * Measures two sides alternately, so that other work on the machine affects both equally. Each
 * round's ratio comes from two successive periods.
 */

/** The measurements of our program and of the peer, one per round. */
export interface Rounds<A> {
  readonly ours: ReadonlyArray<A>
  readonly peer: ReadonlyArray<A>
}

/** Measures two sides alternately for the given number of rounds. */
export const alternate = async <A>(
  count: number,
  measure: (side: "ours" | "peer") => Promise<A>
): Promise<Rounds<A>> => {
  const ours: Array<A> = []
  const peer: Array<A> = []
  for (let round = 0; round < count; round += 1) {
    ours.push(await measure("ours"))
    peer.push(await measure("peer"))
  }
  return { ours, peer }
}

/** Calls a function with the numbers from 0 to `count`, a few of them concurrently. */
export const repeat = async (
  count: number,
  concurrency: number,
  call: (turn: number) => Promise<unknown>
): Promise<void> => {
  const turns = Array(count).keys()
  const loop = async () => {
    for (const turn of turns) await call(turn)
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
}

/** Returns the median, which is the lower of the two middle values for an even number of values. */
export const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN

/** Returns the median of the rounds' ratios. */
export const ratio = ({ ours, peer }: Rounds<number>): number =>
  median(ours.map((value, round) => value / (peer[round] ?? Number.NaN)))
