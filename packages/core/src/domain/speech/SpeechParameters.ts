/**
 * The parameters of a call as they arrive: each under one of several spellings, once or many times.
 */
import { Result } from "effect"
import type { sentAsFile } from "../transcription/TranscriptionRequest.ts"
import { SpeechRefused } from "./SpeechAnswer.ts"

/** A value as it arrived: a text, or the mark of a part that came as a file. */
export type SpeechValue = string | typeof sentAsFile

/** Parameters by the names they were sent under, each with its values in their order. */
export type SpeechParameters = ReadonlyMap<string, ReadonlyArray<SpeechValue>>

/** Parameters with one value. */
export const singles = [
  "model",
  "response_format",
  "stream",
  "language",
  "prompt",
  "temperature",
  "chunking_strategy"
] as const

/** Parameters with many: sent again and again, with brackets behind the name or without. */
const lists = [
  "timestamp_granularities",
  "include",
  "languages",
  "keywords",
  "known_speaker_names",
  "known_speaker_references"
] as const

type Single = (typeof singles)[number]
type List = (typeof lists)[number]
/** A parameter that is known here. */
export type ParameterName = Single | List

/** `include[]`, `include[0]`, and the parts of an object such as `chunking_strategy[type]`. */
const brackets = /\[[^\]]*\]/gu

/** The parameter that a name stands for, which may be none of ours. */
const parameterOf = (name: string): string => name.replace(brackets, "")

const isName = (name: string): name is ParameterName =>
  singles.some((known) => known === name) || lists.some((known) => known === name)

/** What was given, by the parameters' own names. */
export interface Given {
  /** Empty texts count as left out. */
  readonly values: ReadonlyMap<ParameterName, ReadonlyArray<SpeechValue>>
  /** Those sent with brackets behind their names: each value is one element and never a list. */
  readonly bracketed: ReadonlySet<ParameterName>
}

/** Refuses a parameter. */
export const refuse = (
  parameter: string,
  { code, detail }: Pick<SpeechRefused, "code" | "detail">
): SpeechRefused => new SpeechRefused({ parameter, code, detail })

/** Refuses a value that is none. */
export const invalid = (parameter: string, rule: string) =>
  refuse(parameter, { code: "invalid_value", detail: `Invalid '${parameter}': ${rule}` })

/** Refuses a value that is one, and is not done here. */
export const unsupported = (parameter: string, rule: string) =>
  refuse(parameter, { code: "unsupported_value", detail: `Unsupported '${parameter}': ${rule}` })

/** The texts of a parameter. */
export const textsOf = (given: Given, name: ParameterName): ReadonlyArray<string> =>
  (given.values.get(name) ?? []).filter((value) => typeof value === "string")

/** The text of a parameter with one value. */
export const textOf = (given: Given, name: ParameterName): string | undefined =>
  textsOf(given, name)[0]

/** Longest part of a wrong value that is repeated to the caller. */
const shownMax = 100

/** Shows a value in a sentence. */
export const show = (value: string): string => `"${value.slice(0, shownMax).toWellFormed()}"`

const unknown = (name: string) => {
  const shown = name.slice(0, shownMax).toWellFormed() || "?"
  return refuse(shown, { code: "unknown_parameter", detail: `Unknown parameter: '${shown}'` })
}

/** The parameter that a name stands for, or a refusal where there is none. */
export const knowParameter = (written: string): Result.Result<ParameterName, SpeechRefused> => {
  const name = parameterOf(written)
  return isName(name) ? Result.succeed(name) : Result.fail(unknown(name))
}

/** Sorts what was sent by the parameters' own names, or refuses a name that is none. */
export const gather = (sent: SpeechParameters): Result.Result<Given, SpeechRefused> => {
  const given = new Map<ParameterName, Array<SpeechValue>>()
  const bracketed = new Set<ParameterName>()
  for (const [written, values] of sent) {
    const known = knowParameter(written)
    if (Result.isFailure(known)) return Result.fail(known.failure)
    const name = known.success
    if (written !== name) bracketed.add(name)
    // The parts of an object come under names of their own, and count as one value.
    const isObject = written !== name && singles.some((known) => known === name)
    const before = given.get(name) ?? []
    const more = isObject ? [written] : values.filter((value) => value !== "")
    given.set(name, isObject && before.length > 0 ? before : [...before, ...more])
  }
  return Result.succeed({ values: given, bracketed })
}
