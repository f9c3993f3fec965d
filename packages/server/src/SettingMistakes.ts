/**
 * What is wrong with the settings, all of it at once, in the words of their tables; and variables
 * that look like one of ours and are not, which would be ignored silently.
 */

import { distance } from "@verbatim/core/schema"
import { type Config, ConfigProvider, Effect, Result } from "effect"
import { configuration } from "./Configuration.ts"
import { limitsOf, type Variable } from "./settings/Variable.ts"
import { environmentName, expectedOf, parts } from "./settings/Variables.ts"

const own: ReadonlyMap<string, Variable> = new Map(
  parts.flatMap(({ variables }) =>
    variables.map((variable) => [environmentName(variable.name), variable])
  )
)

/** What a variable must be. Values are never shown: some are secrets. */
const sentenceFor = (name: string): string => {
  const variable = own.get(name)
  return `${name} must be ${variable === undefined ? expectedOf(name) : limitsOf(variable)}.`
}

const nameIn = ({ cause }: Config.ConfigError): string | undefined =>
  /at \["(\w+)"\]/.exec(cause.message)?.[1]

/**
 * Reads the settings of this process again: a sentence for each mistake, without any value. Reading
 * stops at the first mistake, so it is repeated without each setting that was wrong.
 */
export const findMistakes: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
  const environment = yield* ConfigProvider.ConfigProvider
  const replaced = new Map<string, ConfigProvider.Node | undefined>()
  const provider = ConfigProvider.make((path) => {
    const name = path.join("_")
    return replaced.has(name) ? Effect.succeed(replaced.get(name)) : environment.load(path)
  })
  const sentences: Array<string> = []
  // Each round adds a name, and there are as many as variables.
  for (;;) {
    const read = yield* Effect.result(configuration.parse(provider))
    if (Result.isSuccess(read)) return sentences
    const name = nameIn(read.failure)
    if (name === undefined || replaced.has(name)) return [...sentences, read.failure.message]
    const value = yield* Effect.orElseSucceed(environment.load([name]), () => undefined)
    const isSet = value !== undefined
    sentences.push(isSet ? sentenceFor(name) : `${name} is missing, but another setting needs it.`)
    replaced.set(name, isSet ? undefined : ConfigProvider.makeValue("-"))
  }
})

/** The names of all our own variables. */
export const variableNames: ReadonlyArray<string> = [...own.keys()]

const prefix = "VERBATIM_"

/** Of three letters one may be wrong: with more, a name is another one. */
const lettersPerMistake = 3

const mistakesMax = (name: string): number =>
  Math.floor((name.length - prefix.length) / lettersPerMistake)

/** The variable that a name may be meant to be; none for one of ours, and for a name unlike all. */
export const findSimilarVariable = (name: string): string | undefined => {
  if (own.has(name) || !/^verb/i.test(name)) return undefined
  const near = variableNames
    .map((each) => ({ each, mistakes: distance(name.toUpperCase(), each) }))
    .filter(({ each, mistakes }) => mistakes <= mistakesMax(each))
  const [nearest] = near.toSorted(
    // Of two as near, letters that were exchanged are likelier than one too many.
    (one, other) => one.mistakes - other.mistakes || other.each.length - one.each.length
  )
  return nearest?.each
}

/** A sentence for each misspelt variable of this process. Values are not shown. */
export const findMisspelt: Effect.Effect<ReadonlyArray<string>> = Effect.sync(() =>
  Object.keys(process.env).flatMap((name) => {
    const meant = findSimilarVariable(name)
    const told = `There is no setting ${name}; it is ignored. Did you mean ${meant}?`
    return meant === undefined ? [] : [told]
  })
)

/** Warns of each. */
export const warnOfMisspelt: Effect.Effect<void> = Effect.flatMap(findMisspelt, (sentences) =>
  Effect.forEach(sentences, (sentence) => Effect.logWarning(sentence), { discard: true })
)
