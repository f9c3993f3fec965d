/**
 * Plans and runs the steps that make presets agree with a folder of files. Each step succeeds only
 * if the preset is still in the state that the plan was made for. After an interruption, the user
 * must plan again.
 */
import {
  findPointedVersion,
  initialTraits,
  type PlanInput,
  type PlanStep,
  type PresetFile,
  type PresetPlan,
  type PresetTraits,
  planPreset,
  type StoredPreset,
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

/** A part of a preset that was changed elsewhere: its content, its presence or a trait. */
type ChangedElsewhere = "content" | "presence" | keyof PresetTraits

export interface PlannedPreset {
  readonly slug: string
  /** The file of the preset, or null if the preset has no file and will be archived. */
  readonly file: string | null
  readonly wanted: PresetFile
  /** The preset as it was when the plan was made. */
  readonly held: StoredPreset | undefined
  readonly plan: PresetPlan
  readonly drifted: ReadonlyArray<ChangedElsewhere>
}

export interface FolderPlan {
  readonly label: string | null
  readonly presets: ReadonlyArray<PlannedPreset>
  /** Slugs of presets that have no file and will stay unchanged. */
  readonly strays: ReadonlyArray<string>
}

/** Number of presets that are read concurrently. */
export const concurrency = 4

/** Finds the parts of a preset that match neither its file nor an earlier version of the file. */
const findDrift = (
  given: PlanInput,
  older: PresetFile | undefined
): ReadonlyArray<ChangedElsewhere> => {
  const { held, label, wanted } = given
  if (held === undefined) return older === undefined ? [] : ["presence"]
  const earlier = older ?? { ...wanted, ...initialTraits(wanted) }
  const now = planPreset(given).changes
  const then = planPreset({ held, label, wanted: earlier }).changes
  return [
    ...(now.content !== null && then.content !== null ? ["content" as const] : []),
    ...now.traits.filter((trait) => then.traits.includes(trait))
  ]
}

interface PlanSource {
  readonly filed: Folder
  /** The files as they were last applied, if known. */
  readonly base?: Folder | undefined
  readonly label: string | null
  /** Whether to archive presets without a file. */
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

/** Plans every preset in a folder, and the presets without a file. */
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

/** The label to move, and the comment on new versions. */
export interface ApplyOptions {
  readonly label: string | null
  readonly comment: string | undefined
}

/** The state of a preset after some steps of its plan. */
interface Progress {
  readonly designated: Fence
  /** The number of the created version. */
  readonly made: number | undefined
}

const creators = {
  responses: "createFromResponses",
  chatCompletions: "createFromChatCompletions",
  messages: "createFromMessages"
} as const

const addVersion = (
  { wanted: { content, slug } }: PlannedPreset,
  { comment, fence }: Pick<ApplyOptions, "comment"> & { readonly fence: Fence | "stage" }
) =>
  call(async ({ presets }) =>
    madeOf(
      await presets[creators[content.format]](slug, toBody(toRequestBody(content)), {
        // A staged version moves no pointer, so it needs no precondition.
        ...(fence === "stage" ? { stage: true } : toCondition(fence)),
        comment,
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
      const fence = held === undefined ? null : (findPointedVersion(held, name)?.id ?? null)
      yield* call(({ presets }) => presets.labels.move(slug, name, { version }, toCondition(fence)))
      return progress
    }
  }
})

/**
 * Runs all steps for a preset. Fails with `Changed` if another caller has changed the preset since
 * the plan.
 */
export const applyPlan = Effect.fnUntraced(function* (
  planned: PlannedPreset,
  options: ApplyOptions
) {
  const { held, plan } = planned
  const designated = held === undefined ? null : (findPointedVersion(held, null)?.id ?? null)
  let progress: Progress = { designated, made: undefined }
  for (const step of plan.steps) progress = yield* runStep(step, progress, { options, planned })
})
