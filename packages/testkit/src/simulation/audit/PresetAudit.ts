/**
 * What writers and readers of presets may be told: versions are 1, 2, 3 … in an order that fits the
 * order of the calls, no acknowledged version is lost, and nobody is shown an older state than was
 * shown before.
 */

import { type Asked, type Fact, type FactOf, factsOf } from "../record/Facts.ts"
import { auditDesignations } from "./DesignationAudit.ts"
import type { Violation } from "./Violation.ts"

type Creation = FactOf<"VersionCreated">
type Sight = FactOf<"PresetSeen">

const isBefore = (a: Asked, b: Asked): boolean => a.endedAt < b.beganAt

/** From the first request for a version to the first answer that names it, if any does. */
const spanOf = (tries: ReadonlyArray<Creation>) => {
  const told = tries.filter(({ version }) => version !== null)
  return told.slice(0, 1).map(({ prompt, version }) => ({
    prompt,
    version: version ?? 0,
    beganAt: Math.min(...tries.map(({ beganAt }) => beganAt)),
    endedAt: Math.min(...told.map(({ endedAt }) => endedAt))
  }))
}

const auditVersions = (
  { slug, versions }: FactOf<"VersionsListed">,
  creations: ReadonlyArray<Creation>
): ReadonlyArray<string> => {
  const isDense = versions.every(({ version }, index) => version === index + 1)
  const wrong: Array<string> = isDense
    ? []
    : [`${slug} has versions ${versions.map(({ version }) => version).join(", ")}`]
  const prompts = versions.map(({ prompt }) => prompt)
  for (const prompt of new Set(prompts)) {
    if (creations.every((creation) => creation.prompt !== prompt))
      wrong.push(`${prompt} is strange`)
    if (prompts.indexOf(prompt) !== prompts.lastIndexOf(prompt)) wrong.push(`${prompt} came twice`)
  }
  for (const [prompt, tries] of Map.groupBy(creations, (creation) => creation.prompt)) {
    const isRefused = tries.every((each) => each.version === null && !each.isOpen)
    if (isRefused && prompts.includes(prompt)) wrong.push(`${prompt} was refused and is there`)
  }
  for (const { prompt, version } of creations) {
    const isThere = version === null || prompts[version - 1] === prompt
    if (!isThere) wrong.push(`${prompt} was acknowledged as version ${version} and is not there`)
  }
  const known = [...Map.groupBy(creations, (creation) => creation.prompt).values()].flatMap(spanOf)
  for (const late of known) {
    const early = known.find((each) => isBefore(each, late) && each.version >= late.version)
    if (early !== undefined) wrong.push(`${late.prompt} came later and has the lower number`)
  }
  return wrong
}

const auditSights = (
  sights: ReadonlyArray<Sight>,
  {
    creations,
    versions
  }: {
    readonly creations: ReadonlyArray<Creation>
    readonly versions: FactOf<"VersionsListed">["versions"]
  }
): ReadonlyArray<string> =>
  sights.flatMap((sight) => {
    const { latestVersion, revision, slug } = sight
    const wrong: Array<string> = []
    const shown = `${slug} at revision ${revision}`
    const newest = creations.filter((each) => each.version !== null && isBefore(each, sight))
    const least = Math.max(0, ...newest.map(({ version }) => version ?? 0))
    if (latestVersion < least) wrong.push(`${shown} did not show version ${least}`)
    const stored = versions[sight.version - 1]
    if (stored?.prompt !== sight.prompt) wrong.push(`${shown} showed ${sight.prompt}`)
    for (const other of sights) {
      if (isBefore(other, sight) && other.revision > revision) {
        wrong.push(`${shown} was shown after revision ${other.revision}`)
      }
      const designated = [other.designatedVersion, sight.designatedVersion]
      const isSame =
        other.latestVersion === latestVersion &&
        (designated.includes(null) || designated[0] === designated[1])
      if (other.revision === revision && !isSame) wrong.push(`${shown} was two things`)
    }
    return wrong
  })

type Change = FactOf<"PresetChanged">

/** Whether something was done at least as often as reported, and no more often than asked. */
const isWithin = (count: number, changes: ReadonlyArray<Change>, certain = changes): boolean => {
  const done = certain.filter(({ isDone }) => isDone).length
  return count >= done && count <= changes.filter(({ isDone, isOpen }) => isDone || isOpen).length
}

/** Each change beside designations was asked for, and is there where it changed something. */
const auditChanges = (
  { designations, revision, slug }: FactOf<"DesignationsListed">,
  changes: ReadonlyArray<Change>
): ReadonlyArray<string> => {
  const others = changes.filter(({ kind }) => kind !== "Designate")
  // Switching to the current status changes nothing.
  const certain = others.filter(({ kind }) => kind === "Rename")
  const count = revision - designations.length
  return isWithin(count, others, certain)
    ? []
    : [`${slug} was changed ${count} times, asked ${others.length}`]
}

/** The rules about presets. */
export const auditPresets = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const of = <Each extends { readonly slug: string }>(list: ReadonlyArray<Each>, slug: string) =>
    list.filter((each) => each.slug === slug)
  const allCreations = factsOf(facts, "VersionCreated")
  const lost = allCreations.filter(
    ({ slug, version }) =>
      version !== null && of(factsOf(facts, "VersionsListed"), slug).length === 0
  )
  const wrong = [
    ...lost.map(({ prompt }) => `${prompt} was acknowledged and its preset is not there`),
    ...factsOf(facts, "VersionsListed").flatMap((listed) => {
      const creations = of(allCreations, listed.slug)
      const sights = of(factsOf(facts, "PresetSeen"), listed.slug)
      return [
        ...auditVersions(listed, creations),
        ...auditSights(sights, { creations, versions: listed.versions })
      ]
    }),
    ...factsOf(facts, "DesignationsListed").flatMap((listed) => {
      const changes = of(factsOf(facts, "PresetChanged"), listed.slug)
      const creations = of(allCreations, listed.slug)
      const sights = of(factsOf(facts, "PresetSeen"), listed.slug)
      return [
        ...auditDesignations(listed, { changes, creations, sights }),
        ...auditChanges(listed, changes)
      ]
    }),
    ...factsOf(facts, "OtherPrompt").flatMap(({ answer, key }) =>
      answer === "a version" ? [`another request under ${key} made a version`] : []
    )
  ]
  return wrong.map((what) => ({ rule: "the history of a preset is linear and dense", what }))
}
