/**
 * What may be read of corrected transcripts: one version as a whole, no older than what its reader
 * knew of. What was recognised never changes, and each correction is made once.
 */

import { type Fact, type FactOf, factsOf, type ListedCorrection } from "../record/Facts.ts"
import type { Violation } from "./Violation.ts"
import { findReplaceable } from "./Wanted.ts"

/** The correction that a transcript shows, "" for what was recognised; null where none shows. */
interface Shown {
  readonly text: string | null
  readonly name: string | null
}

const texts = /said(c\d+w\d+)/g
const names = /name(c\d+w\d+)n\d/g
const recognisedText = /This|Yes/
const recognisedName = /speaker_\d/

/** Each one once; more than one is a mixture. */
const findShown = (body: string) => {
  const find = (token: RegExp, recognised: RegExp): ReadonlyArray<string> => [
    ...new Set(Array.from(body.matchAll(token), ([, found = ""]) => found)),
    ...(recognised.test(body) ? [""] : [])
  ]
  return { text: find(texts, recognisedText), name: find(names, recognisedName) }
}

/** What each version shows, told by what it changed; the first one is what was recognised. */
const statesOf = (versions: ReadonlyArray<ListedCorrection>): ReadonlyArray<Shown> => {
  const states: Array<Shown> = [{ text: "", name: "" }]
  for (const { backTo, changed } of versions) {
    const { name, text } = findShown(changed)
    const last = states.at(-1)
    const next = {
      text: text.find((token) => token !== "") ?? last?.text ?? "",
      name: name.find((token) => token !== "") ?? last?.name ?? ""
    }
    states.push(backTo === null ? next : (states[backTo] ?? next))
  }
  return states
}

/** Something that was read, and the version that its reader knew of. */
interface Reading {
  readonly what: string
  readonly body: string
  readonly known: number
}

const isWhole = (shown: Shown, { name, text }: Shown): boolean =>
  (shown.text === null || shown.text === text) && (shown.name === null || shown.name === name)

const auditReading = (
  { body, known, what }: Reading,
  states: ReadonlyArray<Shown> | undefined
): ReadonlyArray<Violation> => {
  const { name, text } = findShown(body)
  const rule = "a transcript is read as one version of its corrections"
  if (text.length > 1 || name.length > 1) return [{ rule, what: `${what}: ${body}` }]
  // Nobody can tell what there was of a transcript that is gone.
  if (states === undefined) return []
  const shown = { text: text[0] ?? null, name: name[0] ?? null }
  if (!states.some((state) => isWhole(shown, state))) return [{ rule, what: `${what}: ${body}` }]
  if (states.slice(known).some((state) => isWhole(shown, state))) return []
  return [{ rule: "who knows of a correction reads it", what: `${what}: ${known}, not ${body}` }]
}

type Asked = FactOf<"CorrectionAsked">

const auditVersions = (
  { id, recognised, versions }: FactOf<"CorrectionsListed">,
  asked: ReadonlyArray<Asked>
): ReadonlyArray<Violation> => {
  const states = statesOf(versions)
  const numbers = versions.map(({ version }) => version)
  const tokens = versions.flatMap(({ backTo, changed }) => {
    const { name, text } = findShown(changed)
    return backTo === null ? [...text, ...name].filter((token) => token !== "") : []
  })
  const isKept = ({ kind, to, token, version }: Asked): boolean => {
    const state = states[version ?? 0]
    if (state === undefined) return false
    if (kind === "Back") return isWhole(states[to ?? 0] ?? { text: null, name: null }, state)
    return (kind === "Names" ? state.name : state.text) === token
  }
  const lost = asked.find((each) => each.version !== null && !isKept(each))
  const claims: ReadonlyArray<readonly [boolean, string, string]> = [
    [/(?:said|name)c\d/.test(recognised), "what was recognised never changes", recognised],
    [numbers.some((each, place) => each !== place + 1), "versions have no gaps", String(numbers)],
    [new Set(tokens).size < tokens.length, "a correction is made once", tokens.join(", ")],
    [lost !== undefined, "a correction that is told is kept", JSON.stringify(lost)]
  ]
  return claims.flatMap(([isBroken, rule, what]) =>
    isBroken ? [{ rule, what: `${id}: ${what}` }] : []
  )
}

/**
 * Webhooks in the order of their deliveries: each one after the first was wanted again before,
 * unless it replaces the one before it.
 */
const webhooksOf = (facts: ReadonlyArray<Fact>, id: string) => {
  const markers = factsOf(facts, "Accepted").flatMap((each) => (each.id === id ? each.marker : []))
  const wishes = [
    ...factsOf(facts, "Redelivery"),
    ...factsOf(facts, "LateWish"),
    ...factsOf(facts, "Retry")
  ]
    .filter((wish) => wish.id === id)
    .sort((one, other) => one.beganAt - other.beganAt)
  const granted = wishes.filter(({ answer }) => !refusals.includes(answer))
  const receipts = factsOf(facts, "Received").filter(({ marker }) => markers.includes(marker))
  const deliveries = [...Map.groupBy(receipts, ({ webhookId }) => webhookId).values()]
  const corrections = factsOf(facts, "CorrectionAsked").filter((asked) => asked.id === id)
  const replaceable = findReplaceable(deliveries, { corrections, wishes })
  return deliveries.flatMap((each, place) => {
    const [first] = each
    if (first === undefined) return []
    const replaced = deliveries.slice(0, place).filter((other) => replaceable.includes(other))
    const wanted = granted[place - replaced.length - 1]
    const beganAt = first.wasFrozen ? 0 : (wanted?.beganAt ?? 0)
    return [{ what: `webhook ${first.webhookId}`, body: first.body, beganAt }]
  })
}

const refusals = ["CallbackMissing", "MediaExpired", "NotFailed", "RequestNotFound"]

/** The rules about corrections. */
export const auditCorrections = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const asked = Map.groupBy(factsOf(facts, "CorrectionAsked"), ({ id }) => id)
  const listed = new Map(factsOf(facts, "CorrectionsListed").map((each) => [each.id, each]))
  return [...asked].flatMap(([id, wishes]) => {
    const found = listed.get(id)
    const states = found === undefined ? undefined : statesOf(found.versions)
    const knownAt = (at: number): number =>
      Math.max(0, ...wishes.map((wish) => (wish.endedAt < at ? (wish.version ?? 0) : 0)))
    const readings = [
      ...factsOf(facts, "CorrectionSeen").filter((seen) => seen.id === id),
      ...factsOf(facts, "ResultRead").flatMap((read) =>
        read.id === id ? [{ body: read.body, beganAt: 0 }] : []
      ),
      ...webhooksOf(facts, id)
    ]
    return [
      ...(found === undefined ? [] : auditVersions(found, wishes)),
      ...readings.flatMap(({ beganAt, body, ...read }) => {
        const what = `${id}, ${"what" in read ? read.what : "a reader"}`
        return auditReading({ what, body, known: knownAt(beganAt) }, states)
      })
    ]
  })
}
