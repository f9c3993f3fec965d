/**
 * What operators are shown once the storm is over: who works, who no longer does, and that only
 * existing jobs owe something.
 */

import { type Fact, type FactOf, factsOf } from "../record/Facts.ts"
import type { Violation } from "./Violation.ts"

/** A worker signs every 10 s, and is taken for dead after 30. */
const aliveMillis = 30_000

/** A sign that hangs when the storm ends is given up and made again within this. */
const patienceMillis = 25_000

/** By how much the last sign of the dead looks younger than it is. */
const rejuvenation = (facts: ReadonlyArray<Fact>): number =>
  factsOf(facts, "ClockStepped").reduce((sum, { millis }) => sum + Math.max(0, -millis), 0)

const auditWorkers = (
  { at, calmAt, seen, spans }: FactOf<"Surveyed">,
  youngerMillis: number
): ReadonlyArray<string> =>
  spans.flatMap(({ beganAt, endedAt, name }) => {
    const isAlive = seen.some((each) => each.name === name && each.sinceMillis < aliveMillis)
    if (endedAt !== null) {
      const isLong = at - endedAt > aliveMillis + patienceMillis + youngerMillis
      return isLong && isAlive ? [`${name} died at ${endedAt} ms, and is shown as alive`] : []
    }
    const isLong = at - Math.max(beganAt, calmAt) > patienceMillis
    return isLong && !isAlive ? [`${name} works, and is not shown`] : []
  })

/** The rules about what operators see. */
export const auditSurvey = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => [
  ...factsOf(facts, "Surveyed")
    .flatMap((survey) => auditWorkers(survey, rejuvenation(facts)))
    .map((what) => ({ rule: "the registry shows who works", what })),
  ...factsOf(facts, "Stored").flatMap(({ owed, unfinished }) =>
    owed === unfinished
      ? []
      : [
          {
            rule: "only jobs that are there and unfinished owe work",
            what: `${unfinished} are unfinished, ${owed} pieces of work are owed`
          }
        ]
  )
]
