/**
 * What a call asks of Verbatim beside the audio: the options under `verbatim`, as parameters of the
 * API, and a warning for each that it does not have. Pure.
 */
import type { SharedV4Warning } from "@ai-sdk/provider"

/** Options of a model, which each call may override in `providerOptions.verbatim`. */
export interface VerbatimOptions {
  /** ISO 639-1; detected when left out. */
  readonly language?: string
  /** Names and terms to expect. */
  readonly initialPrompt?: string
  /** More of them, the most important first; engines that take lists get one. */
  readonly keywords?: ReadonlyArray<string>
  /** Whether silences are removed; they are, unless this is false. */
  readonly vadFilter?: boolean
  /** Whether speakers are told apart; they are, unless this is false. */
  readonly diarization?: boolean
  /** How many voices there are, where somebody knows. */
  readonly speakers?: number
  /** A set of parameters that the operator of the server has made. */
  readonly template?: string
}

/** The API's parameters, as texts: forms have nothing else. */
export type Fields = Readonly<Record<string, string>>

const names: Readonly<
  Record<keyof VerbatimOptions, (value: unknown) => readonly [string, string]>
> = {
  language: (value) => ["language", String(value)],
  initialPrompt: (value) => ["initial_prompt", String(value)],
  keywords: (value) => ["keywords", JSON.stringify(value)],
  vadFilter: (value) => ["vad_filter", String(value)],
  diarization: (value) => ["disable_diarization", String(value === false)],
  speakers: (value) => ["speakers", String(value)],
  template: (value) => ["template", String(value)]
}

const isName = (name: string): name is keyof VerbatimOptions => Object.hasOwn(names, name)

/** The parameters of a call, and what was left out of them. */
export const parametersOf = (
  options: Readonly<Record<string, unknown>>
): { readonly fields: Fields; readonly warnings: Array<SharedV4Warning> } => {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null)
  return {
    fields: Object.fromEntries(
      given.flatMap(([name, value]) => (isName(name) ? [names[name](value)] : []))
    ),
    warnings: given.flatMap(([name]): Array<SharedV4Warning> => {
      const feature = `providerOptions.verbatim.${name}`
      const details = "Verbatim has no such option."
      return isName(name) ? [] : [{ type: "unsupported", feature, details }]
    })
  }
}
