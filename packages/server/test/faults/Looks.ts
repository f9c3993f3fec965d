/**
 * Every look of a worker at the queue, as its process reports it: the kinds of work it had room
 * for. A look that passes over work which it could have taken is wrong however busy the
 * machine is: that makes looks rarer, and not blind.
 */
import { fullLanes } from "@verbatim/core/job"
import type { Room } from "@verbatim/core/ports"

/** A look that the queue answered. */
export interface Look {
  /** Milliseconds since the epoch, by the store's time. */
  readonly at: number
  readonly kinds: ReadonlyArray<string>
}

/** What a process says about a look. All webhooks of a run have one receiver, so one lane. */
export const lookLine = ({ kinds, lanes }: Room, at: number): string => {
  const isLaneFull = fullLanes(lanes).length > 0
  const free = Object.keys(kinds).filter((kind) => kind !== "Deliver" || !isLaneFull)
  return `looked ${at} ${free.join(" ")}`
}

/** Reads what a process said. */
export const readLook = (line: string): Look | undefined => {
  const [, at, kinds] = /^looked (\d+) (.*)$/.exec(line) ?? []
  return at === undefined || kinds === undefined
    ? undefined
    : { at: Number(at), kinds: kinds.split(" ") }
}

/** Two instants, in milliseconds since the epoch. */
interface Between {
  readonly after: number
  readonly before: number
}

/** How many looks with room for a kind there were between two instants. */
export const countLooks = (
  looks: ReadonlyArray<Look>,
  { after, before, kind }: { readonly kind: string } & Between
): number =>
  looks.filter(({ at, kinds }) => at > after && at < before && kinds.includes(kind)).length
