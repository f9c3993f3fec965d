/** Loads a preset with its labels, newest versions, protected labels, and keys. */
import { signal } from "@preact/signals"
import { api, withinSession } from "../Api.ts"
import { type Key, ownKeys } from "../keys/Keys.tsx"
import { canManageKeys } from "../session/Session.ts"
import { makeSource } from "../ui/Loaded.tsx"
import type { Label, Preset, Version } from "./PresetTraits.ts"

export interface PresetState {
  readonly preset: Preset
  readonly labels: ReadonlyArray<Label>
  readonly versions: ReadonlyArray<Version>
  readonly total: number
  /** The workspace's protected labels, including labels that this preset does not have. */
  readonly protectedNames: ReadonlyArray<string>
  /** The workspace's keys, which name the authors. Empty if the session cannot list them. */
  readonly keys: ReadonlyArray<Key>
}

/** Each poll needs five requests. Writes report conflicts, and a shown tab reloads at once. */
const pollMillis = 150_000

const pageSize = 30
const pageMax = 100

/** Reads the newest items, newest first, with one request if there are at most `guess`. */
export const readNewest = async <Item>(
  read: (page: { readonly limit: number; readonly offset: number }) => Promise<{
    readonly data: ReadonlyArray<Item>
    readonly total_count: number
  }>,
  { count, guess = 1 }: { readonly count: number; readonly guess?: number }
) => {
  const { data, total_count: total } = await read({ limit: guess, offset: 0 })
  if (total <= guess) return { items: data.toReversed(), total }
  const items: Array<Item> = []
  const oldest = Math.max(0, total - count)
  for (let end = total; end > oldest; end -= pageMax) {
    const offset = Math.max(oldest, end - pageMax)
    const page = await read({ offset, limit: end - offset })
    items.push(...page.data.toReversed())
  }
  return { items, total }
}

export const readKeys = (): Promise<ReadonlyArray<Key>> =>
  canManageKeys.peek()
    ? ownKeys.list(withinSession("workspace").signal).catch(() => [])
    : Promise.resolve([])

export const makeModel = (slug: string) => {
  const wanted = signal(pageSize)
  const reading = readKeys()
  const source = makeSource<PresetState>(
    async (signal) => {
      const options = { signal }
      const readVersions = (page: object) => api.presets.versions(slug, { ...page, signal })
      const [preset, labels, { items: versions, total }, guarded, keys] = await Promise.all([
        api.presets.get(slug, options),
        api.presets.labels.list(slug, options),
        readNewest(readVersions, { count: wanted.peek() }),
        api.presets.labels.listProtected(options),
        reading
      ])
      const protectedNames = guarded.map(({ label }) => label)
      return { preset, labels, versions, total, protectedNames, keys }
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

export type PresetModel = ReturnType<typeof makeModel>
export type PresetProps = Readonly<{ model: PresetModel; state: PresetState }>
export const designatedOf = ({ preset }: PresetState) => preset.designated_version?.version

export const labelsOf = ({ labels }: PresetState, version: number): ReadonlyArray<Label> =>
  labels.filter((label) => label.version === version)
