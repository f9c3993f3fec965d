/** The page that tells what a preset keeps of a request, written from the tables of the formats. */

interface Format {
  readonly name: string
  readonly fields: Readonly<Record<string, { readonly fate: string; readonly reason: string }>>
}

interface Heading {
  readonly title: string
  readonly path: string
}

/** The page's name of each format, in order; a format without a heading is a mistake. */
export const headings: Readonly<Record<string, Heading>> = {
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
  "# What a preset keeps of a request",
  "",
  "Written from the tables in `packages/core/src/domain/request` by `npm run fields -- --write`.",
  "",
  "- **kept**: stored in `config` under the name sent, exactly as sent; a null is not stored.",
  "- **system prompt**: becomes `system_prompt`; several texts are joined by an empty line.",
  "- **ignored**: checked and forgotten. A field that is not named here is accepted and ignored.",
  ""
].join("\n")

const row = (name: string, { fate, reason }: Format["fields"][string]): string =>
  `| \`${name}\` | ${fates[fate] ?? fate} | ${reason} |`

const section = ({ fields, name }: Format): string => {
  const { path, title } = headings[name] ?? { title: name, path: "" }
  const rows = Object.entries(fields).map(([field, says]) => row(field, says))
  const head = ["| field | becomes | why |", "| --- | --- | --- |"]
  return [`## ${title}`, "", `\`POST ${path}\``, "", ...head, ...rows, ""].join("\n")
}

/** The whole page. */
export const fieldTables = (formats: ReadonlyArray<Format>): string =>
  [introduction, ...formats.map(section)].join("\n")
