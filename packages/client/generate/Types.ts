/**
 * Generates the client's types from the OpenAPI document: runs `openapi-typescript`, removes
 * redundant parts and wraps lines at our width.
 */
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript"
import ts from "typescript"

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null

/** Removes examples, because they would fill half of the file with comments. */
const dropExamples = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(dropExamples)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "example" && key !== "examples")
      .map(([key, inner]) => [key, dropExamples(inner)])
  )
}

/** The type of binary parts of a form. */
const bytes = ts.factory.createTypeReferenceNode("Blob")

const absent = /^ +(?:get|put|post|delete|options|head|patch|trace)\?: never;\n/gm

/** Matches the empty parameter list of a path, but not that of an operation. */
const noParameters = new RegExp(
  [
    "^ +parameters: \\{\\n",
    ...["query", "header", "path", "cookie"].map((kind) => ` +${kind}\\?: never;\\n`),
    " +\\};\\n(?= +(?:/\\*\\*|get|put|post|delete|patch))"
  ].join(""),
  "gm"
)

/** Matches types of arbitrary response headers, which `Response` has anyway. */
const anyHeaders = /^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm

const unreferenced = /^export type (?:webhooks|\$defs) = Record<string, never>;\n/gm

/** Matches comments that only restate the type they belong to. */
const echoes = /^ +\* (?:@enum \{\w+\}|@constant|Format: binary)\n/gm

const widthMax = 100

/** Wraps one line of text as lines of a comment. */
export const wrap = (text: string, prefix: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    const longer = last === undefined ? `${prefix}${word}` : `${last} ${word}`
    if (last !== undefined && longer.length <= widthMax) lines[lines.length - 1] = longer
    else lines.push(`${prefix}${word}`)
  }
  return lines
}

/** Writes a comment on as many lines as it needs; writes nothing for an empty comment. */
const layOut = (indent: string, body: string): string => {
  const texts = body
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trimEnd())
    .filter((line) => line !== "")
    // A description that follows a summary becomes a separate paragraph.
    .flatMap((line, index) =>
      line.startsWith("@description ")
        ? [...(index > 0 ? [""] : []), line.slice("@description ".length)]
        : [line]
    )
  if (texts.length === 0) return ""
  const [only = ""] = texts
  const short = `${indent}/** ${only} */\n`
  if (texts.length === 1 && short.length <= widthMax) return short
  const lines = texts.flatMap((text) =>
    text === "" ? [`${indent} *`] : wrap(text, `${indent} * `)
  )
  return [`${indent}/**`, ...lines, `${indent} */`, ""].join("\n")
}

const comment = /^( *)\/\*\*([\s\S]*?)\*\/\n/gm

const opening = `/**
 * The types of the API's paths, operations and schemas. Generated from the OpenAPI document by
 * \`npm run build\`.
 */
`

export const writeTypes = async (document: unknown): Promise<string> => {
  const plain = dropExamples(document) as OpenAPI3
  const nodes = await openapiTS(plain, {
    // Requests can omit fields that have a default.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    transform: ({ format }) => (format === "binary" ? bytes : undefined)
  })
  const text = astToString(nodes)
    .replaceAll(absent, "")
    .replaceAll(noParameters, "")
    .replaceAll(anyHeaders, "")
    .replaceAll(unreferenced, "")
    .replaceAll(echoes, "")
    .replaceAll(/^ {4,}/gm, (spaces) => " ".repeat(spaces.length / 2))
    .replaceAll(comment, (_, indent: string, body: string) => layOut(indent, body))
  return opening + text
}
