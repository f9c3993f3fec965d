/** Generates the tables for the pages about settings, metrics, preset fields and models. */
import { Catalogue, ModelChoice } from "@verbatim/adapters/whisper"
import { type Language, languages } from "@verbatim/core/transcription"
import {
  type MetricRow,
  type MetricTable,
  typeOf,
  unitOf
} from "../../packages/core/src/metrics/MetricTable.ts"
import { defaultOf, limitsOf, type Part } from "../../packages/server/src/settings/Variable.ts"

/** Formats a Markdown table. */
const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)

/**
 * Inserts tables between a page's markers of one kind. The first marker of each pair names its
 * table. Throws if a table has no markers, or if markers have no table.
 */
const fill = (
  page: string,
  kind: string,
  tables: Readonly<Record<string, ReadonlyArray<string>>>
): string => {
  const open = `<!-- ${kind}(?:: (.+))? -->\n`
  const marks = new RegExp(`(${open})[\\s\\S]*?(\\n<!-- end of ${kind} -->)`, "g")
  const placed = Array.from(page.matchAll(marks), ([, , name = ""]) => name)
  if (placed.toSorted().join() !== Object.keys(tables).toSorted().join()) {
    throw new Error(`markers without a part, or parts without markers: ${placed.join(", ")}`)
  }
  return page.replace(marks, (_, opening: string, name = "", closing: string) =>
    [opening, ...(tables[name] ?? []), closing].join("\n")
  )
}

/** Escapes angle brackets, which would be read as HTML. */
const plain = (text: string): string => text.replace(/<([^>]*)>/g, "‹$1›")

/** Inserts the table of each part's settings. */
export const withTables = (page: string, parts: ReadonlyArray<Part>): string => {
  const tableOf = ({ prefix, variables }: Part) =>
    table(
      ["variable", "default", "allowed", "what it does"],
      variables.map((variable) => [
        `\`${prefix ?? "VERBATIM_"}${variable.name}\``,
        defaultOf(variable),
        plain(limitsOf(variable)),
        variable.does
      ])
    )
  const tables = parts.map((part) => [part.heading, tableOf(part)] as const)
  return fill(page, "settings", Object.fromEntries(tables))
}

/** Maximum number of listed values. If there are more, the table says how many. */
const shownMax = 8

const valuesOf = (values: ReadonlyArray<string>): string => {
  const shown = values.slice(0, shownMax).map((value) => `\`${value}\``)
  const more = values.length - shown.length
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ")
}

const labelsOf = ({ labels }: MetricRow): string =>
  Object.entries(labels)
    .map(([label, values]) => `\`${label}\`: ${valuesOf(values)}`)
    .join("; ")

/** Inserts the table of each package's metrics. */
export const withMetrics = (
  page: string,
  tables: Readonly<Record<string, MetricTable>>
): string => {
  const rowOf = (metric: MetricRow) => [
    `\`${metric.name}\``,
    [typeOf(metric), unitOf(metric) ?? []].flat().join(", "),
    labelsOf(metric),
    metric.help
  ]
  const tableOf = (metrics: MetricTable) =>
    table(["metric", "type, unit", "labels", "what it is"], Object.values(metrics).map(rowOf))
  const written = Object.entries(tables).map(([name, metrics]) => [name, tableOf(metrics)] as const)
  return fill(page, "metrics", Object.fromEntries(written))
}

interface Format {
  readonly name: string
  readonly fields: Readonly<Record<string, { readonly fate: string; readonly reason: string }>>
}

/** The heading and the last part of the path that the page shows for each format. */
const headings: Readonly<Record<string, readonly [title: string, path: string]>> = {
  responses: ["Responses-style bodies", "responses"],
  chatCompletions: ["Chat-completions bodies", "chat/completions"],
  messages: ["Messages bodies", "messages"]
}

const introduction = [
  "# Fields that a preset keeps",
  "",
  "A preset is created from a request body. A table for each request format shows how the fields",
  "are used:",
  "",
  "- **kept**: stored in `config` under its name, exactly as sent; null is not stored.",
  "- **system prompt**: becomes `system_prompt`; several texts are joined by an empty line.",
  "- **ignored**: validated, then dropped.",
  "",
  "Other fields are accepted and ignored. `npm run documents -- --write` generates this page from",
  "the tables in `packages/core/src/domain/request`.",
  ""
].join("\n")

const section = ({ fields, name }: Format): string => {
  const [title = name, path = ""] = headings[name] ?? []
  const rows = Object.entries(fields).map(([field, { fate, reason }]) => [
    `\`${field}\``,
    fate === "systemPrompt" ? "system prompt" : fate,
    reason
  ])
  const lines = table(["field", "becomes", "why"], rows)
  return [`## ${title}`, "", `\`POST /v1/presets/{slug}/${path}\``, "", ...lines, ""].join("\n")
}

/** Writes the page on preset fields. */
export const fieldTables = (formats: ReadonlyArray<Format>): string =>
  [introduction, ...formats.map(section)].join("\n")

/** The machines in the models table, keyed by column heading. */
const machines: Readonly<Record<string, ModelChoice.Machine>> = {
  "0.5 GB": { memoryBytes: 0.5e9, cores: 4 },
  "1 GB": { memoryBytes: 1e9, cores: 4 },
  "2 GB": { memoryBytes: 2e9, cores: 4 },
  "4 GB": { memoryBytes: 4e9, cores: 4 },
  "4 GB, 2 cores": { memoryBytes: 4e9, cores: 2 },
  "4 GB, 1 core": { memoryBytes: 4e9, cores: 1 }
}

const chosenModels = (language: Language | null): ReadonlyArray<string> =>
  Object.values(machines).map((machine) => {
    const choice = { catalogue: Catalogue.builtIn, machine }
    return `\`${ModelChoice.rankModels(language, choice)[0]?.name}\``
  })

const displayNames = new Intl.DisplayNames(["en"], { type: "language" })

/** Inserts the table of models by language and machine. Languages with equal models share a row. */
export const withModels = (page: string): string => {
  const groups = Map.groupBy([...languages, null], (language) => chosenModels(language).join())
  const rows = [...groups.values()].map((group) => {
    const names = group.map((code) => (code === null ? "unknown" : displayNames.of(code)))
    return [names.join(", "), ...chosenModels(group[0] ?? null)]
  })
  return fill(page, "models", { "": table(["language", ...Object.keys(machines)], rows) })
}
