/**
 * What would make presets agree with a folder of files, and the acts that do it. Each act holds
 * only while what a plan saw is still there; whoever is stopped between two acts plans again.
 */
import {
  birthTraits,
  type HeldPreset,
  type PlanStep,
  type PlanWanted,
  type PresetFile,
  type PresetPlan,
  type PresetTraits,
  planPreset,
  pointedOf,
  toRequestBody
} from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { call } from "../command/ApiCalls.ts"
import {
  type Fence,
  findPreset,
  listPresets,
  madeOf,
  toBody,
  toCondition,
  toDesignatedFile
} from "./PresetCalls.ts"
import type { FiledPreset } from "./PresetFolder.ts"

type Folder = ReadonlyMap<string, FiledPreset>

/** What of a preset was changed elsewhere. */
type ChangedElsewhere = "content" | "presence" | keyof PresetTraits

/** One preset of a plan. */
export interface PlannedPreset {
  readonly slug: string
  /** Null for one that has no file, and is archived. */
  readonly file: string | null
  readonly wanted: PresetFile
  /** As it was when it was looked at. */
  readonly held: HeldPreset | undefined
  readonly plan: PresetPlan
  readonly drifted: ReadonlyArray<ChangedElsewhere>
}

/** A whole plan. */
export interface FolderPlan {
  readonly label: string | null
  readonly presets: ReadonlyArray<PlannedPreset>
  /** Slugs in the workspace that have no file, and that nothing is done about. */
  readonly strays: ReadonlyArray<string>
}

/** Presets looked at at the same time. */
export const concurrency = 4

/** What of a preset is neither as its file says nor as an earlier form of the file did. */
const findDrift = (
  given: PlanWanted,
  older: PresetFile | undefined
): ReadonlyArray<ChangedElsewhere> => {
  const { held, label, wanted } = given
  if (held === undefined) return older === undefined ? [] : ["presence"]
  const earlier = older ?? { ...wanted, ...birthTraits(wanted) }
  const now = planPreset(given).changes
  const then = planPreset({ held, label, wanted: earlier }).changes
  return [
    ...(now.content !== null && then.content !== null ? ["content" as const] : []),
    ...now.traits.filter((trait) => then.traits.includes(trait))
  ]
}

/** What a plan is made of. */
interface PlanSource {
  readonly filed: Folder
  /** The files as they were applied last, where that is known. */
  readonly base?: Folder | undefined
  readonly label: string | null
  /** Whether presets without a file are archived. */
  readonly prune: boolean
}

const planFiled = Effect.fnUntraced(function* (
  { file, preset: wanted }: FiledPreset,
  { base, label }: PlanSource
) {
  const held = Option.getOrUndefined(yield* findPreset(wanted.slug))
  const given = { wanted, held, label }
  const drifted = base === undefined ? [] : findDrift(given, base.get(wanted.slug)?.preset)
  return { slug: wanted.slug as string, file, wanted, held, plan: planPreset(given), drifted }
})

const planArchival = Effect.fnUntraced(function* ({ slug }: { readonly slug: string }) {
  const held = Option.getOrUndefined(yield* findPreset(slug))
  if (held === undefined) return []
  const wanted: PresetFile = { ...(yield* toDesignatedFile(held)), status: "archived" }
  const plan = planPreset({ wanted, held, label: null })
  return [{ slug, file: null, wanted, held, plan, drifted: [] }]
})

/** Plans for every preset of a folder, and for those that have no file. */
export const planAll = Effect.fnUntraced(function* (source: PlanSource) {
  const { filed, label, prune } = source
  const presets: ReadonlyArray<PlannedPreset> = yield* Effect.forEach(
    filed.values(),
    (each) => planFiled(each, source),
    { concurrency }
  )
  const listed = label === null ? yield* listPresets({}) : []
  const strays = listed.filter(({ slug, status }) => status !== "archived" && !filed.has(slug))
  if (!prune) return { label, presets, strays: strays.map(({ slug }) => slug) }
  const pruned = yield* Effect.forEach(strays, planArchival, { concurrency })
  return { label, presets: [...presets, ...pruned.flat()], strays: [] }
})

/** Which label an apply moves, and what it says about the versions that it makes. */
interface ApplyOptions {
  readonly label: string | null
  readonly comment: string | null
}

/** How far it has come. */
interface Progress {
  /** The designated version. */
  readonly designated: Fence
  /** The number of the version that was made. */
  readonly made: number | undefined
}

const creators = {
  responses: "createFromResponses",
  chatCompletions: "createFromChatCompletions",
  messages: "createFromMessages"
} as const

const addVersion = (
  { wanted: { content, slug } }: PlannedPreset,
  { comment, fence }: { readonly comment: string | null; readonly fence: Fence | "stage" }
) =>
  call(async ({ presets }) =>
    madeOf(
      await presets[creators[content.format]](slug, toBody(toRequestBody(content)), {
        // A version that nothing points to disturbs nobody.
        ...(fence === "stage" ? { stage: true } : toCondition(fence)),
        comment: comment ?? undefined,
        wins: content.wins
      })
    )
  )

const runStep = Effect.fnUntraced(function* (
  step: PlanStep,
  progress: Progress,
  { options, planned }: { readonly options: ApplyOptions; readonly planned: PlannedPreset }
) {
  const { comment, label } = options
  const { held, slug } = planned
  const { designated, made } = progress
  switch (step._tag) {
    case "Create":
    case "Add": {
      const { id, version } = yield* addVersion(planned, { comment, fence: designated })
      return { designated: id, made: version }
    }
    case "Stage": {
      const { version } = yield* addVersion(planned, { comment, fence: "stage" })
      return { designated, made: version }
    }
    case "Revise":
      yield* call(({ presets }) => presets.revise(slug, step.change, toCondition(designated)))
      return progress
    case "Designate": {
      yield* call(({ presets }) =>
        presets.designate(slug, { version: step.version }, toCondition(designated))
      )
      const now = held?.versions.find(({ version }) => version === step.version)
      return { designated: now?.id ?? designated, made }
    }
    case "Point": {
      const name = label ?? "designated"
      const version = step.version ?? made ?? 1
      const fence = held === undefined ? null : (pointedOf(held, name)?.id ?? null)
      yield* call(({ presets }) => presets.labels.move(slug, name, { version }, toCondition(fence)))
      return progress
    }
  }
})

/** Does all that was planned for a preset. `Changed` when another caller was faster. */
export const applyPlan = Effect.fnUntraced(function* (
  planned: PlannedPreset,
  options: ApplyOptions
) {
  const { held, plan } = planned
  const designated = held === undefined ? null : (pointedOf(held, null)?.id ?? null)
  let progress: Progress = { designated, made: undefined }
  for (const step of plan.steps) progress = yield* runStep(step, progress, { options, planned })
})
