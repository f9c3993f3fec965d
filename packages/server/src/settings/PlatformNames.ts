/**
 * Reads variables that hosting platforms set, such as `PORT`, if Verbatim's own variables are not
 * set. The table of variables lists them too.
 */
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { environmentName, parts } from "./Variables.ts"

/** The platform variables in use, keyed by the variables of Verbatim that they replace. */
export const UsedPlatformNames = Context.Reference<ReadonlyMap<string, string>>(
  "@verbatim/server/settings/UsedPlatformNames",
  { defaultValue: () => new Map() }
)

const findUsed = Effect.fnUntraced(function* (
  environment: ConfigProvider.ConfigProvider,
  command: string
) {
  const isSet = (name: string) =>
    Effect.map(environment.load([name]), (value) => value !== undefined)
  const used = new Map<string, string>()
  for (const { name, platform } of parts.flatMap(({ variables }) => variables)) {
    const own = environmentName(name)
    if (platform === undefined || (yield* isSet(own)) || !(yield* isSet(platform.name))) continue
    const { commands, unless } = platform
    if (commands?.(command) === false) continue
    if (unless !== undefined && (yield* isSet(environmentName(unless)))) continue
    used.set(own, platform.name)
  }
  return used
})

/** Adds the values of the platform's variables to the environment that a command reads. */
export const layer = (command: string): Layer.Layer<never> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const environment = yield* ConfigProvider.ConfigProvider
      const used = yield* Effect.orDie(findUsed(environment, command))
      const provider = ConfigProvider.make((path) => {
        const name = used.get(path.join("_"))
        return environment.load(name === undefined ? path : [name])
      })
      return Layer.merge(
        Layer.succeed(ConfigProvider.ConfigProvider, provider),
        Layer.succeed(UsedPlatformNames, used)
      )
    })
  )

/** Logs which platform variables are in use. */
export const announce: Effect.Effect<void> = Effect.flatMap(UsedPlatformNames, (used) =>
  Effect.forEach(used, ([own, name]) => Effect.logInfo(`${own} is not set; using ${name}.`), {
    discard: true
  })
)
