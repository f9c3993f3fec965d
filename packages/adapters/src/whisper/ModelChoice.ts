/**
 * Chooses the model that fits a language and a machine. Pure. Models are ordered by their published
 * word error rates (docs/accuracy.md); a model must also know the language, fit into memory, and be
 * fast enough on the machine's cores.
 */
import { type Language, languages } from "@verbatim/core/transcription"
import type { Catalogue } from "./Catalogue.ts"
import { byteLengthOf, isSpeech, type SpeechModel } from "./Model.ts"

/** The name that requests an automatic choice of the model. */
export const automatic = "auto"

/** The memory and the cores that a recogniser can use. */
export interface Machine {
  readonly memoryBytes: number
  readonly cores: number
}

/** The machine's memory and cores, and the models to choose from. */
export interface ChoiceOptions {
  readonly catalogue: Catalogue
  readonly machine: Machine
}

/**
 * The models to choose from, best first, with the minimum number of cores that each model needs to
 * keep up with speech. Whisper always decodes 30 s at a time, so its large models need more cores.
 */
const preferences: ReadonlyArray<readonly [name: string, coreMin: number]> = [
  ["parakeet-110m", 1],
  ["parakeet-v3", 1],
  ["sense-voice", 1],
  ["turbo", 4],
  ["small", 2],
  ["moonshine-base", 1],
  ["base", 1],
  ["moonshine-tiny", 1],
  ["tiny", 1]
]

/**
 * The memory that a recogniser needs: up to twice the size of its files. Measured by other
 * projects: 0.33 GB for Parakeet 110M (136 MB) and less than 1.5 GB for Parakeet v3 (671 MB).
 * Measured here: 0.50 GB for Moonshine tiny (32 MB) and 0.60 GB for Moonshine base (67 MB).
 */
export const memoryOf = (model: SpeechModel): number =>
  2 * byteLengthOf(model) + (model.kind === "moonshine" ? 480_000_000 : 200_000_000)

const fits = (model: SpeechModel, { cores, memoryBytes }: Machine): boolean => {
  const [, coreMin = 1] = preferences.find(([name]) => name === model.name) ?? []
  return cores >= coreMin && memoryBytes >= memoryOf(model)
}

/** Returns the models in the catalogue that can be chosen automatically, best first. */
export const choosable = (catalogue: Catalogue): ReadonlyArray<SpeechModel> =>
  preferences.flatMap(([name]) => catalogue.filter(isSpeech).filter((model) => model.name === name))

/**
 * For an unknown language, models that know all languages come first, then models that know many,
 * because a model outputs nonsense for an unsupported language.
 */
const ignorance = ({ languages: known }: SpeechModel): number =>
  known === undefined ? 0 : languages.length - known.length + 1

/**
 * Returns the models for a language in order of preference. Models that do not fit the machine come
 * last, smallest first; they are used only if no other model is installed.
 */
export const rankModels = (
  language: Language | null,
  { catalogue, machine }: ChoiceOptions
): ReadonlyArray<SpeechModel> => {
  const able = choosable(catalogue).filter(
    ({ languages: known }) => language === null || (known?.includes(language) ?? true)
  )
  const fitting = able.filter((model) => fits(model, machine))
  const others = able
    .filter((model) => !fitting.includes(model))
    .toSorted((a, b) => memoryOf(a) - memoryOf(b))
  const ranked = [...fitting, ...others]
  return language === null ? ranked.toSorted((a, b) => ignorance(a) - ignorance(b)) : ranked
}

/** The best model for some languages, where null stands for an unknown language. */
export interface Choice {
  readonly model: SpeechModel
  readonly languages: ReadonlyArray<Language | null>
}

/** Returns the best model for each language and for an unknown language, grouped by model. */
export const chooseModels = (options: ChoiceOptions): ReadonlyArray<Choice> => {
  const best = [null, ...languages].map((language) => ({
    language,
    model: rankModels(language, options)[0]
  }))
  return choosable(options.catalogue).flatMap((model) => {
    const chosenFor = best.filter((each) => each.model === model).map(({ language }) => language)
    return chosenFor.length === 0 ? [] : [{ model, languages: chosenFor }]
  })
}
