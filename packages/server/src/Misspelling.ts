/**
 * Environment variables that look like one of ours and are none. They would be ignored in silence,
 * and somebody would wonder why a setting does nothing.
 */
import { distance } from "@verbatim/core/schema"
import { ConfigProvider, Effect } from "effect"
import { configuration } from "./Configuration.ts"

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
export const find: Effect.Effect<ReadonlyArray<string>> = Effect.map(variableNames, (known) =>
  Object.keys(process.env).flatMap((name) => {
    const meant = meantBy(name, known)
    const told = `There is no setting ${name}: it is ignored. ${meant} may be meant.`
    return meant === undefined ? [] : [told]
  })
)

/** Warns of each. */
export const warn: Effect.Effect<void> = Effect.flatMap(find, (sentences) =>
  Effect.forEach(sentences, (sentence) => Effect.logWarning(sentence), { discard: true })
)
