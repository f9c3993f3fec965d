/**
 * Finds all mistakes in the settings, even misspelt variables, which would otherwise be silently
 * ignored.
 */

import { editDistance } from "@verbatim/core/schema"
import { type Config, ConfigProvider, Effect, Result } from "effect"
import { configuration } from "./Configuration.ts"
import { UsedPlatformNames } from "./settings/PlatformNames.ts"
import { limitsOf } from "./settings/Variable.ts"
import { environmentName, parts, variableOf } from "./settings/Variables.ts"

/**
 * Says which values a variable allows. The current value is never shown, because some values are
 * secrets.
 */
const sentenceFor = (name: string, platformName: string | undefined): string => {
  const allowed = limitsOf(variableOf(name))
  if (platformName === undefined) return `${name} must be ${allowed}.`
  return `${platformName} must be ${allowed}. If it belongs to another program, set ${name}.`
}

const nameIn = ({ cause }: Config.ConfigError): string | undefined =>
  /at \["(\w+)"\]/.exec(cause.message)?.[1]

/**
 * Reads the settings again and returns a sentence for each mistake, without any value. Reading
 * stops at the first mistake, so each invalid setting is removed and the others are read again.
 */
export const findMistakes: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
  const environment = yield* ConfigProvider.ConfigProvider
  const platformNames = yield* UsedPlatformNames
  const replaced = new Map<string, ConfigProvider.Node | undefined>()
  const provider = ConfigProvider.make((path) => {
    const name = path.join("_")
    return replaced.has(name) ? Effect.succeed(replaced.get(name)) : environment.load(path)
  })
  const sentences: Array<string> = []
  // Every iteration finds the name of one more invalid variable.
  for (;;) {
    const read = yield* Effect.result(configuration.parse(provider))
    if (Result.isSuccess(read)) return sentences
    const name = nameIn(read.failure)
    if (name === undefined || replaced.has(name)) return [...sentences, read.failure.message]
    const value = yield* Effect.orElseSucceed(environment.load([name]), () => undefined)
    const isSet = value !== undefined
    sentences.push(
      isSet
        ? sentenceFor(name, platformNames.get(name))
        : `${name} is missing, but another setting needs it.`
    )
    replaced.set(name, isSet ? undefined : ConfigProvider.makeValue("-"))
  }
})

/** The names of all Verbatim variables. */
export const variableNames: ReadonlyArray<string> = parts.flatMap(({ variables }) =>
  variables.map(({ name }) => environmentName(name))
)

const prefix = "VERBATIM_"

/**
 * A name can have one mistake for every three letters. With more mistakes, it counts as a different
 * name.
 */
const lettersPerMistake = 3

const mistakesMax = (name: string): number =>
  Math.floor((name.length - prefix.length) / lettersPerMistake)

/**
 * Returns the variable that a misspelt name resembles. Returns undefined if the name is correct or
 * resembles no variable.
 */
export const findSimilarVariable = (name: string): string | undefined => {
  if (variableNames.includes(name) || !/^verb/i.test(name)) return undefined
  const near = variableNames
    .map((each) => ({ each, mistakes: editDistance(name.toUpperCase(), each) }))
    .filter(({ each, mistakes }) => mistakes <= mistakesMax(each))
  const [nearest] = near.toSorted(
    // If two names are equally close, swapped letters are more likely than an extra letter.
    (one, other) => one.mistakes - other.mistakes || other.each.length - one.each.length
  )
  return nearest?.each
}

/** Returns a sentence for each misspelt variable of this process, without its value. */
export const findMisspelt: Effect.Effect<ReadonlyArray<string>> = Effect.sync(() =>
  Object.keys(process.env).flatMap((name) => {
    const meant = findSimilarVariable(name)
    const sentence = `${name} is not a setting, and is ignored. Did you mean ${meant}?`
    return meant === undefined ? [] : [sentence]
  })
)

/** Logs a warning for each misspelt variable. */
export const warnOfMisspelt: Effect.Effect<void> = Effect.flatMap(findMisspelt, (sentences) =>
  Effect.forEach(sentences, (sentence) => Effect.logWarning(sentence), { discard: true })
)
