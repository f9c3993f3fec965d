/**
 * The parameters of a call to the speech API, as they arrive. Each can have several spellings, and
 * can be sent once or several times.
 */
import { Result } from "effect"
import { toShown } from "../schema/StorableText.ts"
import type { sentAsFile } from "../transcription/TranscriptionRequest.ts"
import { SpeechRefused } from "./SpeechAnswer.ts"

/**
 * The value of a parameter as it arrived: text, or a placeholder for a part that was sent as a
 * file.
 */
export type SpeechValue = string | typeof sentAsFile

/** The values of the parameters in order, keyed by the names under which they were sent. */
export type SpeechParameters = ReadonlyMap<string, ReadonlyArray<SpeechValue>>

/** The parameters that take one value. */
export const singles = [
  "model",
  "response_format",
  "stream",
  "language",
  "prompt",
  "temperature",
  "chunking_strategy"
] as const

/**
 * The parameters that take several values. The name is then repeated, with or without brackets
 * after it.
 */
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
/** The name of a known parameter. */
export type ParameterName = Single | List

/** Matches `include[]`, `include[0]` and object parts such as `chunking_strategy[type]`. */
const brackets = /\[[^\]]*\]/gu

/** Returns a parameter's name without brackets. The parameter may be unknown. */
const parameterOf = (name: string): string => name.replace(brackets, "")

const isName = (name: string): name is ParameterName =>
  singles.some((known) => known === name) || lists.some((known) => known === name)

/** The parameters of a request, keyed by their canonical names. */
export interface NamedParameters {
  /** The values of each parameter. Empty strings count as missing. */
  readonly values: ReadonlyMap<ParameterName, ReadonlyArray<SpeechValue>>
  /**
   * The parameters that were sent with brackets after their names. Each value is a single element,
   * never a list.
   */
  readonly bracketed: ReadonlySet<ParameterName>
}

/** Creates a refusal for a parameter. */
export const refuse = (
  parameter: string,
  { code, detail }: Pick<SpeechRefused, "code" | "detail">
): SpeechRefused => new SpeechRefused({ parameter, code, detail })

/** Creates a refusal for a parameter with an invalid value. */
export const invalid = (parameter: string, rule: string) =>
  refuse(parameter, { code: "invalid_value", detail: `Invalid '${parameter}': ${rule}` })

/** Creates a refusal for a parameter with a valid value that is not supported. */
export const unsupported = (parameter: string, rule: string) =>
  refuse(parameter, { code: "unsupported_value", detail: `Unsupported '${parameter}': ${rule}` })

/** Returns those values of a parameter that are strings. */
export const textsOf = (parameters: NamedParameters, name: ParameterName): ReadonlyArray<string> =>
  (parameters.values.get(name) ?? []).filter((value) => typeof value === "string")

/** Returns the value of a parameter that takes one value, if it is a string. */
export const textOf = (parameters: NamedParameters, name: ParameterName): string | undefined =>
  textsOf(parameters, name)[0]

/** Quotes a value for an error message. */
export const show = (value: string): string => `"${toShown(value)}"`

const unknown = (name: string) => {
  const shown = toShown(name) || "?"
  return refuse(shown, { code: "unknown_parameter", detail: `Unknown parameter: '${shown}'` })
}

/** Returns the parameter for a name, or a refusal if it is unknown. */
export const findParameter = (written: string): Result.Result<ParameterName, SpeechRefused> => {
  const name = parameterOf(written)
  return isName(name) ? Result.succeed(name) : Result.fail(unknown(name))
}

/** Collects the parameters under their canonical names, or refuses an unknown name. */
export const collectParameters = (
  sent: SpeechParameters
): Result.Result<NamedParameters, SpeechRefused> => {
  const parameters = new Map<ParameterName, Array<SpeechValue>>()
  const bracketed = new Set<ParameterName>()
  for (const [written, values] of sent) {
    const known = findParameter(written)
    if (Result.isFailure(known)) return Result.fail(known.failure)
    const name = known.success
    if (written !== name) bracketed.add(name)
    // The parts of an object have separate names, but count as one value.
    const isObject = written !== name && singles.some((known) => known === name)
    const before = parameters.get(name) ?? []
    const more = isObject ? [written] : values.filter((value) => value !== "")
    parameters.set(name, isObject && before.length > 0 ? before : [...before, ...more])
  }
  return Result.succeed({ values: parameters, bracketed })
}
