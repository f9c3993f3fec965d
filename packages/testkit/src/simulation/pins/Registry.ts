/**
 * The registry of presets of the simulation: what each reference means, and has meant at every
 * instant. Versions are made, labels moved and removed, presets archived and resumed.
 */
import type { PinAnswer, PinnedVersion } from "@verbatim/resolution/pins"
import type { Dice } from "../clock/Seed.ts"

/** A stretch of time in which a reference meant one thing; undefined for nothing. */
interface Stretch {
  readonly from: number
  readonly versionId: string | undefined
}

/** What references mean. */
export interface Registry {
  readonly references: ReadonlyArray<string>
  /** Changes something, by chance. */
  readonly change: () => void
  /** The answer of this instant. */
  readonly answer: (reference: string, known: string | undefined) => PinAnswer
  /** Whether a reference meant that version, or nothing, at some instant between these. */
  readonly meant: (
    reference: string,
    versionId: string | undefined,
    between: { readonly from: number; readonly to: number }
  ) => boolean
}

const slugs = ["notes", "tags"]

const labels = ["production", "staging"]

interface Preset {
  readonly slug: string
  isActive: boolean
  latest: number
  designated: number
  readonly labels: Map<string, number>
}

/** The version that a reference names of a preset. */
const versionOf = (preset: Preset, chosen: string | undefined): number | undefined => {
  if (!preset.isActive) return undefined
  if (chosen === undefined) return preset.designated
  return chosen === "1" ? 1 : preset.labels.get(chosen)
}

/** Makes a registry; most changes of a fickle one take a preset away, or bring it back. */
export const makeRegistry = (
  dice: Dice,
  { isFickle, now }: { readonly now: () => number; readonly isFickle: boolean }
): Registry => {
  const presets = slugs.map(
    (slug): Preset => ({ slug, isActive: true, latest: 1, designated: 1, labels: new Map() })
  )
  for (const { labels } of presets) labels.set("production", 1)
  const references = slugs.flatMap((slug) => [
    slug,
    `${slug}@1`,
    ...labels.map((label) => `${slug}@${label}`)
  ])
  const history = new Map<string, Array<Stretch>>(references.map((reference) => [reference, []]))

  const idOf = (reference: string): string | undefined => {
    const [slug, chosen] = reference.split("@")
    const preset = presets.find((each) => each.slug === slug)
    const version = preset && versionOf(preset, chosen)
    return version === undefined ? undefined : `${slug}:${version}`
  }

  const remember = () => {
    for (const [reference, stretches] of history) {
      const versionId = idOf(reference)
      if (stretches.length > 0 && stretches.at(-1)?.versionId === versionId) continue
      stretches.push({ from: now(), versionId })
    }
  }
  remember()

  const makeVersion = (preset: Preset) => {
    preset.latest += 1
    preset.designated = preset.latest
  }
  const archive = (preset: Preset) => {
    preset.isActive = false
  }
  const usual: ReadonlyArray<(preset: Preset) => void> = [
    makeVersion,
    makeVersion,
    (preset) => {
      preset.designated = dice.between(1, preset.latest)
    },
    (preset) => preset.labels.set(dice.pick(labels), dice.between(1, preset.latest)),
    (preset) => preset.labels.set(dice.pick(labels), preset.latest),
    (preset) => preset.labels.delete(dice.pick(labels)),
    archive
  ]
  const changes = isFickle ? [archive, archive, makeVersion] : usual

  const pinnedOf = (versionId: string): PinnedVersion => {
    const [slug = "", version] = versionId.split(":")
    const config = { note: versionId }
    return {
      slug,
      versionId,
      version: { version: Number(version), format: "responses", systemPrompt: null, config }
    }
  }

  return {
    references,
    change: () => {
      const preset = dice.pick(presets)
      // What is archived comes back soon, or most of a run would be about errors.
      if (preset.isActive) dice.pick(changes)(preset)
      else if (dice.chance(isFickle ? 0.3 : 0.7)) preset.isActive = true
      remember()
    },
    answer: (reference, known) => {
      const versionId = idOf(reference)
      if (versionId === undefined) return { _tag: "Gone", code: "NoPreset", message: "gone" }
      return versionId === known
        ? { _tag: "Unchanged" }
        : { _tag: "Pinned", pinned: pinnedOf(versionId) }
    },
    meant: (reference, versionId, { from, to }) => {
      const stretches = history.get(reference) ?? []
      return stretches.some((stretch, index) => {
        const end = stretches[index + 1]?.from ?? Number.POSITIVE_INFINITY
        return stretch.versionId === versionId && stretch.from <= to && end >= from
      })
    }
  }
}
