/**
 * What an operator may be told about keys and secrets: everything reported exists, and everything
 * that exists was reported, except where answers were lost.
 */

import { type Fact, factsOf } from "../record/Facts.ts"
import type { Violation } from "./Violation.ts"

const rule = "each key and each secret is made once, and told or accounted for"

/** The rules about keys and secrets that are issued. */
export const auditIssues = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const withdrawals = factsOf(facts, "Withdrawn")
  return factsOf(facts, "Held").flatMap(({ ids, kind }) => {
    const asked = factsOf(facts, "Issued").filter((each) => each.kind === kind)
    const told = asked.flatMap(({ id }) => id ?? [])
    const open = asked.filter(({ id, isOpen }) => id === null && isOpen).length
    const strange = ids.filter((id) => !told.includes(id)).length
    const mayBeGone = new Set(withdrawals.map(({ id }) => id))
    const lost = told.filter((id) => !ids.includes(id) && !mayBeGone.has(id))
    const left = withdrawals.filter(({ id, isDone }) => isDone && ids.includes(id))
    return [
      ...(new Set(ids).size === ids.length ? [] : [`a ${kind} is there twice`]),
      ...(strange > open ? [`${strange} of a ${kind} for ${open} lost answers`] : []),
      ...lost.map((id) => `the ${kind} ${id} was told and is not there`),
      ...left.map(({ id }) => `the ${kind} ${id} was taken away and is there`)
    ].map((what) => ({ rule, what }))
  })
}
