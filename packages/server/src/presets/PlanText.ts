/**
 * Formats a plan, with the action on each preset and the exact changes. People get lines that are
 * safe to print on a terminal; programs get JSON.
 */
import { findPointedVersion, type PlanStep, type PresetDiff } from "@verbatim/core/preset"
import type { Schema } from "effect"
import { printable } from "../command/operation.ts"
import type { FolderPlan, PlannedPreset } from "./folderPlan.ts"

/** Maximum length of a shown value. The end of a longer value is cut off. */
const shownMax = 160

/** Maximum number of prompt lines to show from each version. */
const linesMax = 60

/** Shortens text to one line. */
const clip = (long: string): string => {
  const text = printable(long)
  return text.length <= shownMax ? text : `${text.slice(0, shownMax).toWellFormed()}…`
}

const shown = (value: Schema.Json | undefined): string => clip(JSON.stringify(value) ?? "nothing")

const marked = (mark: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const more = lines.length > linesMax ? [`${mark} … ${lines.length - linesMax} more lines`] : []
  return [...lines.slice(0, linesMax).map((line) => `${mark} ${printable(line)}`), ...more]
}

const splitLines = (text: string | null): ReadonlyArray<string> => text?.split("\n") ?? []

type Texts = NonNullable<PresetDiff["system_prompt"]>

/** Shows the changed lines of a text, or the whole text. */
const textLines = ({ from, lines, to }: Texts): ReadonlyArray<string> =>
  (lines ?? [{ from: 1, removed: splitLines(from), to: 1, added: splitLines(to) }]).flatMap(
    (change) => [
      ...(lines === undefined || lines.length === 1
        ? []
        : [`@ line ${change.from} → ${change.to}`]),
      ...marked("-", change.removed),
      ...marked("+", change.added)
    ]
  )

const namesOf = (names: Schema.Json | undefined): string =>
  Array.isArray(names) && names.length > 0 ? clip(names.join(", ")) : "none"

const configLines = (difference: PresetDiff["config"][number]): ReadonlyArray<string> => {
  const { from, is_order: isOrder, kind, lines, path, to } = difference
  const place = `config${printable(path)}`
  if (isOrder) return [`${place}: in another order: ${namesOf(from)} → ${namesOf(to)}`]
  if (lines !== undefined) return [`${place}:`, ...textLines({ from: "", lines, to: "" })]
  return kind === "changed"
    ? [`${place}: ${shown(from)} → ${shown(to)}`]
    : [`${place}: ${kind} ${shown(kind === "added" ? to : from)}`]
}

/** Shows the differences between the contents of two versions. */
export const contentLines = ({
  config,
  format,
  system_prompt: prompt,
  wins
}: Pick<PresetDiff, "config" | "format" | "system_prompt"> & {
  readonly wins?: PresetDiff["wins"] | null
}): ReadonlyArray<string> => [
  ...(format === null ? [] : [`format: ${format.from} → ${format.to}`]),
  ...(prompt === null ? [] : ["system_prompt:", ...textLines(prompt)]),
  ...config.flatMap(configLines),
  ...(wins ? [`wins: ${namesOf(wins.from)} → ${namesOf(wins.to)}`] : [])
]

/** Whether a preset needs no change and is not blocked. */
export const isQuiet = ({ plan }: PlannedPreset): boolean =>
  plan.steps.length === 0 && plan.obstacle === null

/** Says in one word what happens to a preset. */
const actionOf = (planned: PlannedPreset) => {
  const { drifted, file, held, plan } = planned
  if (drifted.length > 0) return "changed_elsewhere"
  if (plan.obstacle !== null) return "archived"
  if (isQuiet(planned)) return "none"
  if (file === null) return "archive"
  return held === undefined ? "make" : "change"
}

/** Converts a step of a plan to the names that the API uses. */
const stepOf = (step: PlanStep) => {
  switch (step._tag) {
    case "Create":
      return { act: "create" } as const
    case "Add":
      return { act: "create_version" } as const
    case "Stage":
      return { act: "stage_version" } as const
    case "Designate":
      return { act: "designate", version: step.version } as const
    case "Point":
      return { act: "move_label", version: step.version } as const
    case "Revise":
      return { act: "revise", change: step.change } as const
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

/** Builds the JSON for a preset in a plan. Prompts are complete. */
export const presetJson = (planned: PlannedPreset, label: string | null) => {
  const { drifted, file, held, plan, slug } = planned
  return {
    slug,
    file,
    label,
    action: actionOf(planned),
    /** The number of the designated version, or of the one that the label points to. */
    version: (held && findPointedVersion(held, label)?.version) ?? null,
    changed_elsewhere: drifted,
    steps: plan.steps.map(stepOf),
    changes: changesOf(planned)
  }
}

type View = ReturnType<typeof presetJson>

/** Builds the JSON for a preset that has no file. */
export const strayJson = (slug: string) => ({ slug, file: null, label: null, action: "no_file" })

const actOf = (step: View["steps"][number], label: string | null): string | undefined => {
  switch (step.act) {
    case "create":
      return "create"
    case "create_version":
      return "add and designate a version"
    case "stage_version":
      return "add a staged version"
    case "designate":
      return `designate version ${step.version}`
    case "move_label":
      return `point ${label} to ${step.version === null ? "it" : `version ${step.version}`}`
    case "revise":
      return step.change.status === undefined ? undefined : `set status to ${step.change.status}`
  }
}

/** Explains why a preset that was changed elsewhere is left unchanged. */
const describeDrift = ({ changed_elsewhere: drifted, version }: View): string => {
  if (drifted[0] === "presence") return "removed from the workspace"
  const where = version === null ? "" : ` (version ${version} now)`
  return `changed elsewhere: ${drifted.join(", ")}${where}`
}

const describeActs = ({ label, steps }: View): string =>
  steps.flatMap((step) => actOf(step, label) ?? []).join(", ") || "change name or description"

const marks: Readonly<Record<Exclude<View["action"], "none">, string>> = {
  archive: "-",
  archived: "~",
  change: "~",
  changed_elsewhere: "!",
  make: "+"
}

const describeAction = (view: View): string => {
  if (view.action === "changed_elsewhere") return describeDrift(view)
  if (view.action === "archived") return "archived: set its status to active first"
  return describeActs(view)
}

/** Returns the lines about one preset. There are none if nothing changes. */
const presetLines = (view: View): ReadonlyArray<string> => {
  const { action, changes, file, slug } = view
  if (action === "none") return []
  // A new file is named after its preset.
  const from = file === null ? "no file" : printable(file)
  const details = [
    ...changes.traits.map((trait) => `${trait.name}: ${shown(trait.from)} → ${shown(trait.to)}`),
    ...contentLines(changes)
  ]
  return [
    `${marks[action]} ${slug}  ${describeAction(view)}  (${from})`,
    ...details.map((line) => `    ${line}`)
  ]
}

/** Says how many presets each action applies to. */
const summarize = (views: ReadonlyArray<View>, strayCount: number): string => {
  const count = (words: string, ...actions: ReadonlyArray<View["action"]>) =>
    [views.filter(({ action }) => actions.includes(action)).length, words] as const
  const parts = [
    count("to create", "make"),
    count("to change", "change", "archived"),
    count("to archive", "archive"),
    count("changed elsewhere", "changed_elsewhere"),
    count("unchanged", "none"),
    [strayCount, "without a file"] as const
  ].flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`]))
  return parts.length === 0 ? "No presets." : `${parts.join(", ")}.`
}

/** Formats the whole plan as lines. */
export const planLines = ({ label, presets, strays }: FolderPlan): ReadonlyArray<string> => {
  const views = presets.map((each) => presetJson(each, label))
  return [
    ...views.flatMap(presetLines),
    ...strays.map((slug) => `? ${slug}  no file`),
    summarize(views, strays.length)
  ]
}
