/**
 * Formats a plan: what would happen to each preset, and the exact changes. People get lines that
 * are harmless on a terminal, and programs get JSON.
 */
import { findPointedVersion, type PlanStep, type PresetDiff } from "@verbatim/core/preset"
import type { Schema } from "effect"
import { printable } from "../command/operation.ts"
import type { FolderPlan, PlannedPreset } from "./folderPlan.ts"

/** The maximum length of a value; longer values are cut off. */
const shownMax = 160

/** Maximum number of lines of a prompt to show for each side. */
const linesMax = 60

/** Shortens a text to one line. */
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

/** Shows a text's changed lines, or the whole text. */
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

/** Shows the differences between two contents. */
export const contentLines = ({
  config,
  format,
  system_prompt: prompt,
  wins
}: PresetDiff): ReadonlyArray<string> => [
  ...(format === null ? [] : [`format: ${format.from} → ${format.to}`]),
  ...(prompt === null ? [] : ["system_prompt:", ...textLines(prompt)]),
  ...config.flatMap(configLines),
  ...(wins ? [`wins: ${namesOf(wins.from)} → ${namesOf(wins.to)}`] : [])
]

const traitLines = ({ held, plan, wanted }: PlannedPreset): ReadonlyArray<string> =>
  held === undefined
    ? []
    : plan.changes.traits.map(
        (trait) => `${trait}: ${shown(held[trait])} → ${shown(wanted[trait])}`
      )

const contentOf = ({ plan: { changes } }: PlannedPreset): ReadonlyArray<string> =>
  changes.content === null ? [] : contentLines(changes.content)

const actOf = (step: PlanStep, label: string | null): string | undefined => {
  switch (step._tag) {
    case "Create":
      return "create"
    case "Add":
      return "add and designate a version"
    case "Stage":
      return "add a staged version"
    case "Designate":
      return `designate version ${step.version}`
    case "Point":
      return `point ${label} to ${step.version === null ? "it" : `version ${step.version}`}`
    case "Revise":
      return step.change.status === undefined ? undefined : `set status to ${step.change.status}`
  }
}

const actsOf = ({ plan }: PlannedPreset, label: string | null): string => {
  const acts = plan.steps.flatMap((step) => actOf(step, label) ?? [])
  return acts.length === 0 ? "change name or description" : acts.join(", ")
}

/** Whether a preset needs no change, and nothing prevents changing it. */
export const isQuiet = ({ plan }: PlannedPreset): boolean =>
  plan.steps.length === 0 && plan.obstacle === null

const markOf = ({ drifted, file, held }: PlannedPreset): string => {
  if (drifted.length > 0) return "!"
  if (file === null) return "-"
  return held === undefined ? "+" : "~"
}

/** Explains why a preset that was changed elsewhere is left alone. */
const driftOf = ({ drifted, held }: PlannedPreset, label: string | null): string => {
  if (drifted[0] === "presence") return "removed from the workspace"
  const number = held === undefined ? undefined : findPointedVersion(held, label)?.version
  const where = number === undefined ? "" : ` (version ${number} now)`
  return `changed elsewhere: ${drifted.join(", ")}${where}`
}

const headOf = (planned: PlannedPreset, label: string | null): string => {
  if (planned.drifted.length > 0) return driftOf(planned, label)
  if (planned.plan.obstacle !== null) return "archived: set its status to active first"
  return actsOf(planned, label)
}

/** The lines about one preset; none if the preset is unchanged. */
const presetLines = (planned: PlannedPreset, label: string | null): ReadonlyArray<string> => {
  if (isQuiet(planned) && planned.drifted.length === 0) return []
  // A new file has the name of its preset.
  const from = planned.file === null ? "no file" : printable(planned.file)
  const head = `${markOf(planned)} ${planned.slug}  ${headOf(planned, label)}  (${from})`
  const details = [...traitLines(planned), ...contentOf(planned)]
  return [head, ...details.map((line) => `    ${line}`)]
}

const count = (number: number, words: string): ReadonlyArray<string> =>
  number === 0 ? [] : [`${number} ${words}`]

/** Counts the presets of each kind. */
const summaryOf = ({ presets, strays }: FolderPlan): string => {
  const drifted = presets.filter((each) => each.drifted.length > 0)
  const others = presets.filter((each) => each.drifted.length === 0)
  const moving = others.filter((each) => !isQuiet(each))
  const made = moving.filter(({ held }) => held === undefined)
  const archived = moving.filter(({ file }) => file === null)
  const parts = [
    ...count(made.length, "to create"),
    ...count(moving.length - made.length - archived.length, "to change"),
    ...count(archived.length, "to archive"),
    ...count(drifted.length, "changed elsewhere"),
    ...count(others.length - moving.length, "unchanged"),
    ...count(strays.length, "without a file")
  ]
  return parts.length === 0 ? "No presets." : `${parts.join(", ")}.`
}

/** Lines of the whole plan. */
export const planLines = (planned: FolderPlan): ReadonlyArray<string> => [
  ...planned.presets.flatMap((each) => presetLines(each, planned.label)),
  ...planned.strays.map((slug) => `? ${slug}  no file`),
  summaryOf(planned)
]

/** The action on a preset, as one word. */
const actionOf = (planned: PlannedPreset) => {
  const { drifted, file, held, plan } = planned
  if (drifted.length > 0) return "changed_elsewhere"
  if (plan.obstacle !== null) return "archived"
  if (isQuiet(planned)) return "none"
  if (file === null) return "archive"
  return held === undefined ? "make" : "change"
}

/** A step of a plan, named as in the API. */
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

/** A preset in a plan for programs, with complete prompts. */
export const presetJson = (planned: PlannedPreset, label: string | null) => {
  const { drifted, file, held, plan, slug } = planned
  return {
    slug,
    file,
    label,
    action: actionOf(planned),
    /** The designated version, or the one that the label points to. */
    version: (held && findPointedVersion(held, label)?.version) ?? null,
    changed_elsewhere: drifted,
    steps: plan.steps.map(stepOf),
    changes: changesOf(planned)
  }
}

/** A preset without a file, for programs. */
export const strayJson = (slug: string) => ({ slug, file: null, label: null, action: "no_file" })
