/** Counts the tasks that a worker gave up on in the last hour, by reason and minute. */
import { type DateTime, Order } from "effect"
import type { Task } from "../domain/attempt/Work.ts"
import type { JobEvent } from "../domain/job/JobEvent.ts"
import type { FailureCount } from "../ports/WorkerRegistry.ts"

const minuteMillis = 60_000

const minuteMax = 60

const mostFirst: Order.Order<FailureCount> = Order.combineAll([
  Order.mapInput(Order.flip(Order.Number), ({ count }: FailureCount) => count),
  Order.mapInput(Order.String, ({ reason }: FailureCount) => reason),
  Order.mapInput(Order.String, ({ task }: FailureCount) => task)
])

/** Adds up counts of the same task and reason. Returns the highest counts first. */
export const sumFailures = (counts: ReadonlyArray<FailureCount>): ReadonlyArray<FailureCount> => {
  const sums = new Map<string, FailureCount>()
  for (const each of counts) {
    const key = `${each.task} ${each.reason}`
    sums.set(key, { ...each, count: each.count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()].sort(mostFirst)
}

/** Creates an empty tally, which stays small because there are few tasks and reasons. */
export const makeFailureTally = () => {
  const minutes = new Map<number, ReadonlyArray<FailureCount>>()
  const minuteOf = (at: DateTime.Utc) => Math.floor(at.epochMilliseconds / minuteMillis)

  return {
    /** Counts the failures among the events that end an attempt. */
    note: (task: Task, events: ReadonlyArray<JobEvent>, at: DateTime.Utc): void => {
      const more = events.flatMap(({ event }) =>
        event._tag === "GivenUp" ? [{ task, reason: event.failure._tag, count: 1 }] : []
      )
      if (more.length === 0) return
      minutes.set(minuteOf(at), sumFailures([...(minutes.get(minuteOf(at)) ?? []), ...more]))
    },
    /** Returns the counts of the last hour. */
    counts: (now: DateTime.Utc): ReadonlyArray<FailureCount> => {
      for (const minute of minutes.keys()) {
        if (minute <= minuteOf(now) - minuteMax) minutes.delete(minute)
      }
      return sumFailures([...minutes.values()].flat())
    }
  }
}
