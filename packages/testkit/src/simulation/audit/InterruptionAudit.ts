/**
 * What may become of a job whose processes died: it is repeated alone, and given up only when it
 * was interrupted alone three times. Whoever merely was beside a killer is not.
 */
import { type Fact, factsOf } from "../record/Facts.ts"
import type { Violation } from "./Violation.ts"

const rule = "only what was interrupted alone three times is given up"
const repeatRule = "what was interrupted is repeated alone"

/** As the specification of failures has it. */
const interruptionsMin = 3

const sentence = "The work was interrupted too often"

/** The rules about jobs that were interrupted. */
export const auditInterruptions = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const givenUp = factsOf(facts, "Looked").flatMap(({ id, seen }) =>
    seen !== "NotFound" && seen.error === sentence ? [id] : []
  )
  const alone = factsOf(facts, "Interrupted").filter(({ wasAlone }) => wasAlone)
  const blamed = [...new Set(givenUp)].flatMap((id) => {
    const count = alone.filter((each) => each.id === id).length
    return count >= interruptionsMin
      ? []
      : [{ rule, what: `${id} was given up, and interrupted alone only ${count} times` }]
  })
  const together = factsOf(facts, "SuspectBesideOthers").map(({ by, id }) => ({
    rule: repeatRule,
    what: `${by} hears ${id} beside others, although it was interrupted`
  }))
  return [...blamed, ...together]
}
