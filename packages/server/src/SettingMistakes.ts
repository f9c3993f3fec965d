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
    sentences.push(isSet ? sentenceFor(name) : `${name} is missing: another setting needs it.`)
    replaced.set(name, isSet ? undefined : ConfigProvider.makeValue("-"))
  }
})

/** The names of all variables that the configuration asks for, those that others named too. */
export const askedNames: Effect.Effect<ReadonlyArray<string>> = Effect.suspend(() => {
  const asked = new Set<string>()
  const provider = ConfigProvider.make((path) =>
    Effect.sync(() => {
      asked.add(path.join("_"))
      return undefined
    })
  )
  return Effect.map(Effect.ignore(configuration.parse(provider)), () => [...asked])
})

/** Our own. */
export const variableNames: Effect.Effect<ReadonlyArray<string>> = Effect.map(askedNames, (asked) =>
  asked.filter((name) => name.startsWith(prefix))
)

const prefix = "VERBATIM_"

/** Of three letters one may be wrong: with more, a name is another one. */
const lettersPerMistake = 3

const mistakesMax = (name: string): number =>
  Math.floor((name.length - prefix.length) / lettersPerMistake)

/** The variable that a name may be meant to be; none for one of ours, and for a name unlike all. */
export const meantBy = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (known.includes(name) || !/^verb/i.test(name)) return undefined
  const near = known
    .map((each) => ({ each, mistakes: distance(name.toUpperCase(), each) }))
    .filter(({ each, mistakes }) => mistakes <= mistakesMax(each))
  return near.toSorted((one, other) => one.mistakes - other.mistakes)[0]?.each
}

/** A sentence for each misspelt variable of this process. Values are not shown. */
export const findMisspelt: Effect.Effect<ReadonlyArray<string>> = Effect.map(
  variableNames,
  (known) =>
    Object.keys(process.env).flatMap((name) => {
      const meant = meantBy(name, known)
      const told = `There is no setting ${name}: it is ignored. ${meant} may be meant.`
      return meant === undefined ? [] : [told]
    })
)

/** Warns of each. */
export const warnOfMisspelt: Effect.Effect<void> = Effect.flatMap(findMisspelt, (sentences) =>
  Effect.forEach(sentences, (sentence) => Effect.logWarning(sentence), { discard: true })
)
