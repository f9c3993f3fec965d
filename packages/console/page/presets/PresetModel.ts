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

/** Reads the newest versions: the API lists the oldest first. */
const readNewest = async (slug: string, count: number, signal: AbortSignal) => {
  const { total_count: total } = await api.presets.versions(slug, { limit: 1, signal })
  const versions: Array<Version> = []
  const oldest = Math.max(0, total - count)
  for (let end = total; end > oldest; end -= pageSize) {
    const offset = Math.max(oldest, end - pageSize)
    const page = await api.presets.versions(slug, { offset, limit: end - offset, signal })
    versions.push(...page.data.toReversed())
  }
  return { versions, total }
}

/** Makes the model of a preset. */
export const makeModel = (slug: string) => {
  const wanted = signal(pageSize)
  const source = makeSource<Standing>(
    async (signal) => {
      const options = { signal }
      const [preset, labels, newest, guarded] = await Promise.all([
        api.presets.get(slug, options),
        api.presets.labels.list(slug, options),
        readNewest(slug, wanted.peek(), signal),
        api.presets.labels.listProtected(options)
      ])
      const protectedNames = guarded.map(({ label }) => label)
      return { preset, labels, ...newest, protectedNames }
    },
    { everyMillis: pollMillis }
  )
  return {
    ...source,
    slug,
    more: () => {
      wanted.value += pageSize
      return source.reload()
    }
  }
}

/** The model of a preset. */
export type PresetModel = ReturnType<typeof makeModel>

/** What the parts of the screen are given. */
export interface Shown {
  readonly model: PresetModel
  readonly standing: Standing
}

/** The number of the version that is designated. */
export const designatedOf = ({ preset }: Standing): number | undefined =>
  preset.designated_version?.version

/** The labels that point to a version. */
export const labelsOf = ({ labels }: Standing, version: number): ReadonlyArray<Label> =>
  labels.filter((label) => label.version === version)
