/**
 * Resolutions as text. What a preset says is an object that stays the same as long as its row does,
 * and is written once; only what the request says is written for each request.
 */
import type { PresetResolution } from "@verbatim/core/preset"
import { toWireFormat } from "@verbatim/core/request"
import type { Json } from "@verbatim/resolution"
import { toPinned } from "../../../contract/preset/resolution/ResolutionViews.ts"

type Side = "preset" | "request"

/** Texts of what presets say, each for as long as its object is there. Nobody changes these. */
const texts = new WeakMap<object, string>()

/** Writes a value of a preset. */
const writeKept = (value: Json): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const known = texts.get(value)
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  texts.set(value, text)
  return text
}

const write = (value: Json, side: Side | undefined): string =>
  side === "preset" ? writeKept(value) : JSON.stringify(value)

/** Names that need no escapes: nearly all. */
const plainName = /^[\w-]*$/

const writeName = (name: string): string =>
  plainName.test(name) ? `"${name}"` : JSON.stringify(name)

type Written = Pick<PresetResolution, "fields" | "request" | "tools">

/** United tools are a list of the request's, and yet most of them may be the preset's. */
const writeTools = (value: Json, { tools }: Written): string =>
  Array.isArray(value) && value.length === tools.length
    ? `[${value.map((tool, place) => write(tool, tools[place]?.from)).join(",")}]`
    : JSON.stringify(value)

const writeRequest = (written: Written): string => {
  const { fields, request } = written
  let text = ""
  for (const [name, value] of Object.entries(request)) {
    const said =
      name === "tools" ? writeTools(value, written) : write(value, fields.get(name)?.from)
    text += `${text === "" ? "" : ","}${writeName(name)}:${said}`
  }
  return `{${text}}`
}

const writeFields = ({ fields }: Written): string => {
  let text = ""
  for (const [name, { from }] of fields) {
    text += `${text === "" ? "" : ","}${writeName(name)}:"${from}"`
  }
  return `{${text}}`
}

const writeProvenance = (resolution: PresetResolution): string => {
  const { systemPrompt, tools } = resolution
  const sides = tools.map(({ from }) => `"${from}"`).join(",")
  const prompt = systemPrompt === null ? "null" : `"${systemPrompt.from}"`
  return `{"fields":${writeFields(resolution)},"tools":[${sides}],"system_prompt":${prompt}}`
}

/** Writes the answer to a resolution: the text of `ResolutionAnswer`. */
export const writeResolution = (resolution: PresetResolution): string =>
  `{"data":{"request":${writeRequest(resolution)},` +
  `"format":${JSON.stringify(toWireFormat(resolution.format))},` +
  `"preset":${JSON.stringify(toPinned(resolution.preset))},` +
  `"provenance":${writeProvenance(resolution)},` +
  `"left_out":${JSON.stringify(resolution.leftOut)}}}`
