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

const settingColumns = ["variable", "default", "allowed", "what it does"]

const head = [
  `| ${settingColumns.join(" | ")} |`,
  `| ${settingColumns.map(() => "---").join(" | ")} |`
]

/** Escapes angle brackets, which would be read as HTML. */
const plain = (text: string): string => text.replace(/<([^>]*)>/g, "‹$1›")

const rowsOf = ({ prefix, variables }: Part) =>
  variables.map((variable) => {
    const name = `\`${prefix ?? "VERBATIM_"}${variable.name}\``
    const cells = [name, defaultOf(variable), plain(limitsOf(variable)), variable.does]
    return `| ${cells.join(" | ")} |`
  })

const settingMarks = /(<!-- settings: (.+) -->\n)[\s\S]*?(\n<!-- end of settings -->)/g

/** Inserts the table for each part between the part's markers. Throws if a part has no markers. */
export const withTables = (page: string, parts: ReadonlyArray<Part>): string => {
  const placed = new Set(Array.from(page.matchAll(settingMarks), ([, , heading]) => heading))
  const missing = parts.filter(({ heading }) => !placed.has(heading))
  if (missing.length > 0 || placed.size > parts.length) {
    throw new Error(`markers without a part, or parts without markers: ${[...placed].join(", ")}`)
  }
  return page.replace(settingMarks, (_, open: string, heading: string, close: string) => {
    const part = parts.find((each) => each.heading === heading) ?? { heading, variables: [] }
    const lines = [...head, ...rowsOf(part)]
    return `${open}\n${lines.join("\n")}\n${close}`
  })
}

const metricHead = ["| metric | type, unit | labels | what it is |", "| --- | --- | --- | --- |"]

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

const metricRow = (metric: MetricRow): string => {
  const { help, name } = metric
  const type = [typeOf(metric), unitOf(metric) ?? []].flat().join(", ")
  return `| \`${name}\` | ${type} | ${labelsOf(metric)} | ${help} |`
}

const metricMarks = /(<!-- metrics: (\w+) -->\n)[\s\S]*?(\n<!-- end of metrics -->)/g

/** Inserts the table for each package between the package's markers. */
export const withMetrics = (
  page: string,
  tables: Readonly<Record<string, MetricTable>>
): string => {
  const placed = Array.from(page.matchAll(metricMarks), ([, , name]) => name ?? "")
  const wanted = Object.keys(tables)
  if (placed.join() !== wanted.join()) {
    throw new Error(`the page has tables of ${placed}, but should have tables of ${wanted}`)
  }
  return page.replace(metricMarks, (_, open: string, name: string, close: string) => {
    const rows = Object.values(tables[name] ?? {}).map(metricRow)
    return `${open}\n${[...metricHead, ...rows].join("\n")}\n${close}`
  })
}

interface Format {
  readonly name: string
  readonly fields: Readonly<Record<string, { readonly fate: string; readonly reason: string }>>
}

interface Heading {
  readonly title: string
  readonly path: string
}

/** The heading and the path that the page shows for each format. */
const headings: Readonly<Record<string, Heading>> = {
  responses: { title: "Responses-style bodies", path: "/v1/presets/{slug}/responses" },
  chatCompletions: {
    title: "Chat-completions bodies",
    path: "/v1/presets/{slug}/chat/completions"
  },
  messages: { title: "Messages bodies", path: "/v1/presets/{slug}/messages" }
}

const fates: Readonly<Record<string, string>> = {
  kept: "kept",
  systemPrompt: "system prompt",
  ignored: "ignored"
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

const fieldRow = (name: string, { fate, reason }: Format["fields"][string]): string =>
  `| \`${name}\` | ${fates[fate] ?? fate} | ${reason} |`

const section = ({ fields, name }: Format): string => {
  const { path, title } = headings[name] ?? { title: name, path: "" }
  const rows = Object.entries(fields).map(([field, says]) => fieldRow(field, says))
  const head = ["| field | becomes | why |", "| --- | --- | --- |"]
  return [`## ${title}`, "", `\`POST ${path}\``, "", ...head, ...rows, ""].join("\n")
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

const chosenModels = (language: Language | null): string =>
  Object.values(machines)
    .map((machine) => {
      const choice = { catalogue: Catalogue.builtIn, machine }
      return `\`${ModelChoice.rankModels(language, choice)[0]?.name}\``
    })
    .join(" | ")

const displayNames = new Intl.DisplayNames(["en"], { type: "language" })

const modelMarks = /(<!-- models -->\n)[\s\S]*?(\n<!-- end of models -->)/

/** Inserts the table of models by language and machine. Languages with equal models share a row. */
export const withModels = (page: string): string => {
  const columns = ["language", ...Object.keys(machines)]
  const rows = Object.entries(Object.groupBy([...languages, null], chosenModels)).map(
    ([models, group = []]) => {
      const names = group.map((code) => (code === null ? "unknown" : displayNames.of(code)))
      return `| ${names.join(", ")} | ${models} |`
    }
  )
  const table = [`| ${columns.join(" | ")} |`, `|${" --- |".repeat(columns.length)}`, ...rows]
  return page.replace(modelMarks, (_, open: string, close: string) =>
    [open, ...table, close].join("\n")
  )
}
