/**
 * What writers and readers of presets may be told: versions are 1, 2, 3 … in an order that fits the
 * order of the calls, no acknowledged version is lost, and nobody is shown an older state than was
 * shown before.
 */
import type { Violation } from "./Auditor.ts"
import { type Asked, type Fact, type FactOf, factsOf } from "./Facts.ts"

type Creation = FactOf<"VersionCreated">
type Sight = FactOf<"PresetSeen">

const isBefore = (a: Asked, b: Asked): boolean => a.endedAt < b.beganAt

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
  for (const { prompt, version } of creations) {
    const isThere = version === null || prompts[version - 1] === prompt
    if (!isThere) wrong.push(`${prompt} was acknowledged as version ${version} and is not there`)
  }
  const known = creations.filter(({ version }) => version !== null)
  for (const late of known) {
    const early = known.find(
      (each) => isBefore(each, late) && (each.version ?? 0) >= (late.version ?? 0)
    )
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
      const isSame =
        other.latestVersion === latestVersion && other.designatedVersion === sight.designatedVersion
      if (other.revision === revision && !isSame) wrong.push(`${shown} was two things`)
    }
    return wrong
  })

const auditDesignations = ({
  designatedVersion,
  designations,
  slug
}: FactOf<"DesignationsListed">): ReadonlyArray<string> => {
  const isChain = designations.every(
    ({ from }, index) => from === (designations[index - 1]?.to ?? null)
  )
  const isLast = designations.at(-1)?.to === designatedVersion
  return isChain && isLast ? [] : [`the designations of ${slug} do not follow from each other`]
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
    ...factsOf(facts, "DesignationsListed").flatMap(auditDesignations)
  ]
  return wrong.map((what) => ({ rule: "the history of a preset is linear and dense", what }))
}
