/**
 * A preset as its screen has it: the preset, its labels, its newest versions and what is protected,
 * read together and read again now and then, because others work on it too.
 */
import { signal } from "@preact/signals"
import { api } from "../Api.ts"
import { makeSource } from "../ui/Loaded.ts"
import type { Label, Preset, Version } from "./PresetTraits.ts"

/** What is known of a preset. */
export interface Standing {
  readonly preset: Preset
  readonly labels: ReadonlyArray<Label>
  /** The newest first. */
  readonly versions: ReadonlyArray<Version>
  readonly total: number
  /** Labels that are protected in the workspace, whether the preset has them or not. */
  readonly protectedNames: ReadonlyArray<string>
}

/** How soon the work of others is seen. */
const pollMillis = 5_000

/** Versions that are read at first, and with each further page. */
const pageSize = 30

/**
 * Reads the newest versions. What was read before stays as it is, but for the newest page: a
 * version says the same for ever, unless its content is erased.
 */
const readNewest = async (
  slug: string,
  { before, count }: { readonly count: number; readonly before: ReadonlyArray<Version> },
  ended: AbortSignal
) => {
  const { total_count: total } = await api.presets.versions(slug, { limit: 1, signal: ended })
  const known = new Map(before.map((version) => [version.version, version]))
  const versions: Array<Version> = []
  const oldest = Math.max(0, total - count)
  for (let end = total; end > oldest; end -= pageSize) {
    const offset = Math.max(oldest, end - pageSize)
    const kept = Array.from({ length: end - offset }, (_, place) => known.get(end - place))
    if (end < total && kept.every((version) => version !== undefined)) {
      versions.push(...kept)
      continue
    }
    const page = await api.presets.versions(slug, { offset, limit: end - offset, signal: ended })
    versions.push(...page.data.toReversed())
  }
  return { versions, total }
}

/** Makes the model of a preset. */
export const makeModel = (slug: string) => {
  const wanted = signal(pageSize)
  let before: ReadonlyArray<Version> = []
  const source = makeSource<Standing>(
    async (ended) => {
      const options = { signal: ended }
      const [preset, labels, newest, guarded] = await Promise.all([
        api.presets.get(slug, options),
        api.presets.labels.list(slug, options),
        readNewest(slug, { before, count: wanted.peek() }, ended),
        api.presets.labels.listProtected(options)
      ])
      const protectedNames = guarded.map(({ label }) => label)
      before = newest.versions
      return { preset, labels, ...newest, protectedNames }
    },
    { everyMillis: pollMillis }
  )
  return {
    ...source,
    /** All of it, after something was done to it. */
    reload: (): Promise<void> => {
      before = []
      return source.reload()
    },
    slug,
    more: () => {
      wanted.value += pageSize
      return source.reload()
    }
  }
}

/** The model of a preset. */
export type PresetModel = ReturnType<typeof makeModel>

/** The number of the version that is designated. */
export const designatedOf = ({ preset }: Standing): number | undefined =>
  preset.designated_version?.version

/** The labels that point to a version. */
export const labelsOf = ({ labels }: Standing, version: number): ReadonlyArray<Label> =>
  labels.filter((label) => label.version === version)
