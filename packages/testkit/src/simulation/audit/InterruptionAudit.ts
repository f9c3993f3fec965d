/**
 * What may be said of a job whose processes died: only one that was interrupted alone, three times,
 * is given up. Whoever merely was beside a killer is not.
 */
import { type Fact, factsOf } from "../record/Facts.ts"
import type { Violation } from "./Violation.ts"

const rule = "only what was interrupted alone three times is given up"

/** As the specification of failures has it. */
const interruptionsMin = 3

const sentence = "The work was interrupted too often"

/** The rule about jobs that were given up. */
export const auditInterruptions = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const givenUp = factsOf(facts, "Looked").flatMap(({ id, seen }) =>
    seen !== "NotFound" && seen.error === sentence ? [id] : []
  )
  const alone = factsOf(facts, "Interrupted").filter(({ wasAlone }) => wasAlone)
  return [...new Set(givenUp)].flatMap((id) => {
    const count = alone.filter((each) => each.id === id).length
    return count >= interruptionsMin
      ? []
      : [{ rule, what: `${id} was given up, and interrupted alone only ${count} times` }]
  })
}
