/**
 * What is wrong with the settings, all of it at once, in the words of their tables. Reading stops
 * at the first mistake, so it is repeated without each setting that was wrong.
 */
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

/** Reads the settings of this process again: a sentence for each mistake, without any value. */
export const find: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
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
