/**
 * What a follower of the workspace must have heard: every commit of each job that is there, once,
 * in order.
 */
import { type Fact, factsOf } from "../record/Facts.ts"
import type { Violation } from "./Violation.ts"

/** The rules about events. */
export const auditFeeds = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> =>
  factsOf(facts, "Followed").flatMap(({ committed, heard, resets }) => {
    const known = new Set(heard)
    const twice = heard.filter((each, index) => heard.indexOf(each) !== index)
    const missed = resets > 0 ? [] : committed.filter((each) => !known.has(each))
    const places = new Map(heard.map((each, index) => [each, index]))
    const swapped = committed.filter((each, index) => {
      const before = committed[index - 1] ?? ""
      const isSameJob = before.split(" ")[0] === each.split(" ")[0]
      return isSameJob && (places.get(before) ?? 0) > (places.get(each) ?? Number.POSITIVE_INFINITY)
    })
    return [
      ...twice.map((each) => `${each} was heard twice`),
      ...missed.map((each) => `${each} was not heard`),
      ...swapped.map((each) => `${each} was heard too early`)
    ].map((what) => ({ rule: "a follower hears every commit once, in order", what }))
  })
