/**
 * Audits corrections: each one is stored once and kept, versions have no gaps, and the recognised
 * transcript never changes.
 */

import {
  type Fact,
  type FactOf,
  factsOf,
  type ListedCorrection,
  toViolations,
  type Violation
} from "../record/Facts.ts"

/** The token of the correction that a transcript shows, or "" for the recognised text. */
interface Shown {
  readonly text: string
  readonly name: string
}

const texts = /said(c\d+w\d+)/
const names = /name(c\d+w\d+)n\d/

const findShown = (body: string) => {
  const find = (token: RegExp): string | undefined => token.exec(body)?.[1]
  return { text: find(texts), name: find(names) }
}

/**
 * Returns the text that the transcript must show at each version. The first entry is the recognised
 * text.
 */
const statesOf = (versions: ReadonlyArray<ListedCorrection>): ReadonlyArray<Shown> => {
  const states: Array<Shown> = [{ text: "", name: "" }]
  for (const { backTo, changed } of versions) {
    const { name, text } = findShown(changed)
    const last = states.at(-1)
    const next = { text: text ?? last?.text ?? "", name: name ?? last?.name ?? "" }
    states.push(backTo === null ? next : (states[backTo] ?? next))
  }
  return states
}

type Interval = FactOf<"CorrectionRequested">

const auditVersions = (
  { id, recognised, versions }: FactOf<"CorrectionsListed">,
  requested: ReadonlyArray<Interval>
): ReadonlyArray<Violation> => {
  const states = statesOf(versions)
  const numbers = versions.map(({ version }) => version)
  const tokens = versions.flatMap(({ backTo, changed }) => {
    const { name, text } = findShown(changed)
    return backTo === null ? [text, name].filter((token) => token !== undefined) : []
  })
  const isKept = ({ kind, to, token, version }: Interval): boolean => {
    const state = states[version ?? 0]
    if (state === undefined) return false
    if (kind === "Back") {
      const { name, text } = states[to ?? 0] ?? {}
      return name === state.name && text === state.text
    }
    return (kind === "Names" ? state.name : state.text) === token
  }
  const lost = requested.find((each) => each.version !== null && !isKept(each))
  const isGapless = numbers.every((each, place) => each === place + 1)
  const isRepeated = new Set(tokens).size < tokens.length
  const isChanged = /(?:said|name)c\d/.test(recognised)
  return toViolations(id, [
    ["the recognised text never changes", isChanged ? recognised : undefined],
    ["versions have no gaps", isGapless ? undefined : String(numbers)],
    ["a correction is made once", isRepeated ? tokens.join(", ") : undefined],
    ["an acknowledged correction is kept", lost && JSON.stringify(lost)]
  ])
}

export const auditCorrections = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const requested = Map.groupBy(factsOf(facts, "CorrectionRequested"), ({ id }) => id)
  return factsOf(facts, "CorrectionsListed").flatMap((listed) =>
    auditVersions(listed, requested.get(listed.id) ?? [])
  )
}
