/**
 * What lists may show: the jobs of one workspace, newest first, each once, and no job left out that
 * was there from the first page to the last.
 */

import { type Fact, type FactOf, factsOf } from "../record/Facts.ts"
import type { Violation } from "./Violation.ts"

const own = "no workspace sees another's job"
const whole = "a list shows what was there all the time, each job once"

/** Jobs that were there before the walk, and that nobody wanted gone before its end. */
const lastingJobs = (facts: ReadonlyArray<Fact>, { beganAt, endedAt }: FactOf<"Listed">) => {
  const leaving = new Set(
    factsOf(facts, "Removed").flatMap((removal) => (removal.beganAt <= endedAt ? [removal.id] : []))
  )
  return factsOf(facts, "Accepted")
    .filter(({ at, id }) => at <= beganAt && !leaving.has(id))
    .map(({ id }) => id)
}

const auditWalk = (facts: ReadonlyArray<Fact>, walk: FactOf<"Listed">): ReadonlyArray<string> => {
  const ids = walk.entries.map(({ id }) => id)
  const unsorted = ids.find((id, index) => index > 0 && id >= (ids[index - 1] ?? ""))
  const stray = walk.entries.find(({ status }) => walk.status !== null && status !== walk.status)
  const missing =
    walk.status === null ? lastingJobs(facts, walk).find((id) => !ids.includes(id)) : undefined
  return [
    ...(unsorted === undefined ? [] : [`${unsorted} comes again, or too late`]),
    ...(stray === undefined ? [] : [`${stray.id} is ${stray.status}, not ${walk.status}`]),
    ...(missing === undefined ? [] : [`${missing} is left out`])
  ]
}

/** The rules about lists. */
export const auditLists = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const foreign = new Set(factsOf(facts, "Foreign").map(({ id }) => id))
  return factsOf(facts, "Listed").flatMap((walk) => [
    ...auditWalk(facts, walk).map((what) => ({ rule: whole, what })),
    ...walk.entries.flatMap(({ id }) =>
      foreign.has(id) ? [{ rule: own, what: `a list shows ${id}` }] : []
    )
  ])
}
