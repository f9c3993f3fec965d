/**
 * A folder of presets beside a workspace: for each preset what would be done, and whether somebody
 * else changed it meanwhile.
 */
import {
  type Drifted,
  type ExpectedPreset,
  findDrift,
  formatOf,
  isSameContent,
  type PresetFile,
  type PresetPlan,
  planPreset,
  pointedOf
} from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import type { FiledPreset } from "../file/PresetFolder.ts"
import { type FoundPreset, findPreset, listPresets } from "../PresetCalls.ts"
import { expectSeen, type SeenPreset } from "./SeenPresets.ts"

/** One preset of a plan. */
export interface PlannedPreset {
  readonly slug: string
  /** Null for one that has no file, and is archived. */
  readonly file: string | null
  readonly wanted: PresetFile
  /** As it was when it was looked at. */
  readonly held: FoundPreset | undefined
  readonly plan: PresetPlan
  readonly drifted: ReadonlyArray<Drifted>
}

/** What a plan is made of. */
export interface PlanSource {
  readonly filed: ReadonlyMap<string, FiledPreset>
  readonly label: string | null
  /** What is expected of a preset; undefined where nothing is known. */
  readonly expect: (slug: string) => ExpectedPreset | undefined
  /** Whether presets without a file are archived. */
  readonly prune: boolean
}

/** A whole plan. */
export interface Planned {
  readonly label: string | null
  readonly presets: ReadonlyArray<PlannedPreset>
  /** Slugs in the workspace that have no file, and that nothing is done about. */
  readonly strays: ReadonlyArray<string>
}

/** Presets looked at at the same time. */
const concurrency = 4

/** Looks at one preset again, and plans. */
export const planOne = Effect.fnUntraced(function* ({
  expected,
  file,
  label,
  wanted
}: {
  readonly wanted: PresetFile
  readonly file: string | null
  readonly label: string | null
  readonly expected: ExpectedPreset | undefined
}) {
  const held = Option.getOrUndefined(yield* findPreset(wanted.slug))
  const given = { wanted, held, label }
  const drifted = expected === undefined ? [] : findDrift(given, expected)
  return { slug: wanted.slug as string, file, wanted, held, plan: planPreset(given), drifted }
})

/** What a preset without a file is to become. */
export const toArchived = (held: FoundPreset, slug: PresetFile["slug"]): PresetFile => {
  const pointed = pointedOf(held, null)
  const content = pointed ?? { format: null, systemPrompt: null, config: {}, wins: [] }
  return {
    slug,
    name: held.name,
    description: held.description,
    status: "archived",
    content: { ...content, format: formatOf(content) }
  }
}

/** Plans for every preset of a folder, and for those that have no file. */
export const planAll = Effect.fnUntraced(function* (source: PlanSource) {
  const { expect, filed, label, prune } = source
  const presets = yield* Effect.forEach(
    filed.values(),
    ({ file, preset: wanted }) => planOne({ file, wanted, label, expected: expect(wanted.slug) }),
    { concurrency }
  )
  const listed = label === null ? yield* listPresets({}) : []
  const strays = listed.filter(({ slug, status }) => status !== "archived" && !filed.has(slug))
  if (!prune) return { label, presets, strays: strays.map(({ slug }) => slug) }
  const pruned = yield* Effect.forEach(strays, planArchiving, { concurrency })
  return { label, presets: [...presets, ...pruned.flatMap(Option.toArray)], strays: [] }
})

const planArchiving = Effect.fnUntraced(function* ({ slug }: { readonly slug: string }) {
  return Option.map(yield* findPreset(slug), (held) => {
    const wanted = toArchived(held, slug as PresetFile["slug"])
    const plan = planPreset({ wanted, held, label: null })
    return { slug, file: null, wanted, held, plan, drifted: [] }
  })
})

/** What files of an earlier time make one expect: a preset that had none was not there. */
export const expectOlder =
  (older: ReadonlyMap<string, FiledPreset>) =>
  (slug: string): ExpectedPreset => {
    const was = older.get(slug)?.preset
    if (was === undefined) return null
    const { content, description, name, status } = was
    return {
      isPointed: (version) => version !== undefined && isSameContent(version, content),
      traits: { name, description, status }
    }
  }

/** The same by what was seen when the folder and the workspace last agreed. */
export const expectEarlier =
  (seen: ReadonlyMap<string, SeenPreset>) =>
  (slug: string): ExpectedPreset | undefined => {
    const was = seen.get(slug)
    return was === undefined ? undefined : expectSeen(was)
  }
