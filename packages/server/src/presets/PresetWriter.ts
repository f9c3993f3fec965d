/**
 * Writes JSON as YAML 1.2 in one canonical form. Keys keep their order, multi-line strings become
 * blocks, and numbers keep all their digits. No library is used, because a new version of it could
 * quote or break lines differently and so change files.
 */
import { encodeFile, type PresetFile } from "@verbatim/core/preset"
import { ExactNumber } from "@verbatim/core/schema"
import type { Schema } from "effect"
import type { FileFormat } from "./FileProblem.ts"

/**
 * Invisible characters, and characters that reverse text, are escaped so that reviewers can see
 * them.
 */
const unseenSet = [
  "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f",
  "\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069",
  "\\ufeff\\ufffe\\uffff\\u{e0000}-\\u{e007f}"
].join("")

const unseen = new RegExp(`[${unseenSet}]`, "u")

const unseenAll = new RegExp(`[${unseenSet}]`, "gu")

const escapeUnseen = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`
}

/** Quotes a string as in JSON, which YAML accepts. */
const quote = (text: string): string => JSON.stringify(text).replace(unseenAll, escapeUnseen)

/** Matches words that some YAML parsers do not read as strings. */
const words = /^(?:null|true|false|yes|no|on|off|y|n)$/i

/** Matches text that every parser reads as a string anywhere in a block, even without quotes. */
const plainText = /^[\p{L}_](?:[\p{L}\p{N}_ ./@+,()'%=!?;&*-]|:(?=[^\s]))*$/u

const plainName = /^[A-Za-z_][\w-]*$/

/** Maximum length of a key on the same line as its colon. YAML allows 1024 characters. */
const nameLengthMax = 1_000

const isPlain = (text: string): boolean =>
  plainText.test(text) && !text.endsWith(" ") && !text.endsWith(":") && !words.test(text)

/** Whether a block can represent a string unchanged. */
const isBlock = (text: string): boolean =>
  text.includes("\n") && /^[^\s]/.test(text) && !/\n[ \t]+\n*$/.test(text) && !unseen.test(text)

/** Returns the indicator for the line breaks at the end of a block. */
const chomping = (text: string): string => {
  if (!text.endsWith("\n")) return "-"
  return text.endsWith("\n\n") ? "+" : ""
}

const writeBlock = (text: string, indent: string): string => {
  const body = text.endsWith("\n") ? text.slice(0, -1) : text
  const lines = body.split("\n").map((line) => (line === "" ? "" : `${indent}${line}`))
  return [`|${chomping(text)}`, ...lines].join("\n")
}

const writeText = (text: string, indent: string): string => {
  if (isBlock(text)) return writeBlock(text, indent)
  return isPlain(text) ? text : quote(text)
}

const writeName = (name: string): string =>
  plainName.test(name) && !words.test(name) ? name : quote(name)

type Nested = Schema.JsonObject | ReadonlyArray<Schema.Json>

/** Whether a value is written on lines of its own. */
const isNested = (value: Schema.Json): value is Nested =>
  typeof value === "object" &&
  value !== null &&
  !ExactNumber.isExact(value) &&
  Object.keys(value).length > 0

const step = "  "

const writeLeaf = (value: Schema.Json, indent: string): string =>
  typeof value === "string" ? writeText(value, indent) : JSON.stringify(value)

const writeMember = ([name, value]: readonly [string, Schema.Json], indent: string): string => {
  const inner = `${indent}${step}`
  const written = isNested(value) ? `\n${writeLines(value, inner)}` : ` ${writeLeaf(value, inner)}`
  const key = writeName(name)
  return key.length <= nameLengthMax
    ? `${indent}${key}:${written}`
    : `${indent}? ${key}\n${indent}:${written}`
}

const writeItem = (value: Schema.Json, indent: string): string => {
  const inner = `${indent}${step}`
  if (!isNested(value)) return `${indent}- ${writeLeaf(value, inner)}`
  return `${indent}- ${writeLines(value, inner).slice(inner.length)}`
}

const writeLines = (value: Nested, indent: string): string => {
  const lines = Array.isArray(value)
    ? value.map((item: Schema.Json) => writeItem(item, indent))
    : Object.entries(value).map((member) => writeMember(member, indent))
  return lines.join("\n")
}

/** Writes a document that ends with a line break. */
export const writeYaml = (document: Schema.JsonObject): string =>
  Object.keys(document).length === 0 ? "{}\n" : `${writeLines(document, "")}\n`

/** Writes a preset in a format. The same preset always yields the same text. */
export const writePreset = (preset: PresetFile, format: FileFormat): string =>
  format === "yaml"
    ? writeYaml(encodeFile(preset))
    : `${JSON.stringify(encodeFile(preset), undefined, 2)}\n`
