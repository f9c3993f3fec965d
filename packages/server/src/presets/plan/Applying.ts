/**
 * Carries out what was planned for one preset, act by act. Each act holds only while the version
 * that was seen is the one that is pointed to; whoever is stopped between two acts plans again.
 */
import { createHash } from "node:crypto"
import { encodeFile, type HeldVersion, type PlanStep, pointedOf } from "@verbatim/core/preset"
import { Effect } from "effect"
import { call } from "../../command/ApiCalls.ts"
import { addVersion, type Fence, toCondition } from "../PresetCalls.ts"
import type { PlannedPreset } from "./Planned.ts"

/** Who applies a plan, and how. */
export interface ApplyOptions {
  readonly label: string | null
  /** Said about the versions that are made. */
  readonly comment: string | null
}

/** How far it has come. */
interface Progress {
  /** The designated version. */
  readonly designated: Fence
  readonly made: HeldVersion | undefined
}

/**
 * The key of a version that is made: the same for whoever does the same on the same state, so that
 * an act whose answer was lost is not done twice.
 */
const keyOf = ({ held, wanted }: PlannedPreset, { comment, label }: ApplyOptions): string => {
  const state = held === undefined ? null : [held.latestVersion, pointedOf(held, null)?.id]
  const act = JSON.stringify([wanted.slug, encodeFile(wanted), state, label, comment])
  return `apply-${createHash("sha256").update(act).digest("hex")}`
}

const doStep = Effect.fnUntraced(function* (
  step: PlanStep,
  { designated, made }: Progress,
  { options, planned }: { readonly options: ApplyOptions; readonly planned: PlannedPreset }
) {
  const { held, slug, wanted } = planned
  const add = (stage: boolean) =>
    addVersion({
      slug,
      content: wanted.content,
      comment: options.comment,
      stage,
      // A version that nothing points to disturbs nobody.
      fence: stage ? undefined : designated,
      key: keyOf(planned, options)
    })
  switch (step._tag) {
    case "Create":
    case "Add": {
      const added = yield* add(false)
      return { designated: added.id, made: added }
    }
    case "Stage":
      return { designated, made: yield* add(true) }
    case "Revise":
      yield* call(({ presets }) => presets.revise(slug, step.change, toCondition(designated)))
      return { designated, made }
    case "Designate": {
      yield* call(({ presets }) =>
        presets.designate(slug, { version: step.version }, toCondition(designated))
      )
      const now = held?.versions.find(({ version }) => version === step.version)
      return { designated: now?.id ?? designated, made }
    }
    case "Point": {
      const label = options.label ?? "designated"
      const version = step.version ?? made?.version ?? 1
      const fence = held === undefined ? null : (pointedOf(held, label)?.id ?? null)
      yield* call(({ presets }) =>
        presets.labels.move(slug, label, { version }, toCondition(fence))
      )
      return { designated, made }
    }
  }
})

/** Does all that was planned for a preset. `Changed` when somebody else was faster. */
export const applyOne = Effect.fnUntraced(function* (
  planned: PlannedPreset,
  options: ApplyOptions
) {
  const { held, plan } = planned
  let progress: Progress = {
    designated: held === undefined ? null : (pointedOf(held, null)?.id ?? null),
    made: undefined
  }
  for (const step of plan.steps) progress = yield* doStep(step, progress, { options, planned })
})
