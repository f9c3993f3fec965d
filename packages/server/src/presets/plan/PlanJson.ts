/**
 * A plan for programs: what would become of each preset, and what exactly would change. Prompts are
 * in it as they are.
 */
import { type PlanStep, pointedOf } from "@verbatim/core/preset"
import type { Planned, PlannedPreset } from "./Planned.ts"
import { isQuiet } from "./Telling.ts"

/** What would be done about a preset, in a word. */
const actionOf = (planned: PlannedPreset) => {
  const { drifted, file, held, plan } = planned
  if (drifted.length > 0) return "changed_elsewhere"
  if (plan.obstacle !== null) return "archived"
  if (isQuiet(planned)) return "none"
  if (file === null) return "archive"
  return held === undefined ? "make" : "change"
}

/** The acts in their order, as the API calls what they do. */
const stepOf = (step: PlanStep) => {
  switch (step._tag) {
    case "Create":
      return { act: "create" }
    case "Add":
      return { act: "create_version" }
    case "Stage":
      return { act: "stage_version" }
    case "Designate":
      return { act: "designate", version: step.version }
    case "Point":
      return { act: "move_label", version: step.version }
    case "Revise":
      return { act: "revise", change: step.change }
  }
}

const changesOf = ({ held, plan, wanted }: PlannedPreset) => {
  const { content, traits } = plan.changes
  const ofTraits = held === undefined ? [] : traits
  return {
    traits: ofTraits.map((name) => ({ name, from: held?.[name] ?? null, to: wanted[name] })),
    format: content?.format ?? null,
    system_prompt: content?.system_prompt ?? null,
    config: content?.config ?? [],
    wins: content?.wins ?? null
  }
}

const presetJson = (planned: PlannedPreset, label: string | null) => {
  const { drifted, file, held, plan, slug } = planned
  return {
    slug,
    file,
    label,
    action: actionOf(planned),
    /** The version that is designated, or that the label points to. */
    version: (held && pointedOf(held, label)?.version) ?? null,
    changed_elsewhere: drifted,
    steps: plan.steps.map(stepOf),
    changes: changesOf(planned)
  }
}

/** An object for each preset, those without a file included, one in a line. */
export const planJson = ({ label, presets, strays }: Planned): ReadonlyArray<string> =>
  [
    ...presets.map((each) => presetJson(each, label)),
    ...strays.map((slug) => ({ slug, file: null, label, action: "no_file" }))
  ].map((each) => JSON.stringify(each))
