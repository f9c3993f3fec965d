/**
 * What happens when, in a world of promises: after each event everything that it made possible
 * runs to its end, and then time jumps to the next one.
 */
import type { Dice } from "../clock/Seed.ts"

interface Event {
  readonly at: number
  /** Decides between events of one instant. */
  readonly tie: number
  readonly happen: () => void
}

/** True time, and what is still to come. */
export interface Agenda {
  /** Milliseconds since the run began, whole. */
  readonly now: () => number
  readonly after: (millis: number, happen: () => void) => void
  /** Goes on until nothing is to come before that instant. */
  readonly runUntil: (end: number) => Promise<void>
}

/** Far more than any run takes. */
const eventMax = 50_000

/** Runs whatever promises have made possible. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Makes an agenda. */
export const makeAgenda = (dice: Dice): Agenda => {
  const events: Array<Event> = []
  let now = 0
  let count = 0
  const isLater = (one: Event, other: Event) =>
    one.at > other.at || (one.at === other.at && one.tie > other.tie)

  const takeBefore = (end: number): Event | undefined => {
    const first = events[0]
    return first !== undefined && first.at <= end ? events.shift() : undefined
  }

  return {
    now: () => now,
    after: (millis, happen) => {
      const event = { at: now + Math.max(0, Math.ceil(millis)), tie: dice.next(), happen }
      let place = events.length
      for (let each = events[place - 1]; each !== undefined && isLater(each, event); ) {
        place -= 1
        each = events[place - 1]
      }
      events.splice(place, 0, event)
    },
    runUntil: async (end) => {
      for (let event = takeBefore(end); event !== undefined; event = takeBefore(end)) {
        count += 1
        if (count > eventMax) throw new Error("it never comes to an end")
        now = event.at
        event.happen()
        await settle()
      }
      now = end
    }
  }
}
