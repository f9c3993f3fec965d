/** `verbatim config`: shows each setting's current value and source, without secrets. */
import { placeOf } from "@verbatim/embed/trouble"
import { Config, Console, Effect, Option } from "effect"
import { Command } from "effect/cli"
import type { Configuration } from "../Configuration.ts"
import { UsedPlatformNames } from "../settings/PlatformNames.ts"
import { defaultOf, type Part, type Variable } from "../settings/Variable.ts"
import { allParts, environmentName, type Name } from "../settings/Variables.ts"
import { explainErrors } from "./explanation.ts"
import { jsonFlag, printable, printJson, readConfiguration } from "./operation.ts"

const databaseOf = ({ database }: Configuration): string => {
  switch (database._tag) {
    case "Memory":
      return "memory:"
    case "Postgres":
      return `postgres://${placeOf(database)}`
    case "Sqlite":
      return `sqlite:${placeOf(database)}`
  }
}

/**
 * Returns the values that depend on other settings or on the machine. A URL is shown without its
 * password.
 */
const computedOf = (settings: Configuration): Partial<Readonly<Record<Name, string>>> => ({
  DATA_DIR: settings.dataDirectory,
  CACHE_DIR: settings.cacheDirectory,
  MODELS: settings.modelDirectory,
  DATABASE_URL: databaseOf(settings),
  MEDIA_URL: Option.match(settings.bucket, {
    onNone: () => `file:${settings.mediaDirectory}`,
    onSome: ({ bucket, prefix }) => `s3://${bucket}/${prefix}`
  }),
  TRANSCRIBE_CONCURRENCY: String(settings.transcribeConcurrency),
  PIECES_AT_ONCE: String(settings.pieces.atOnce)
})

/** A setting with its current value and its source. */
interface View {
  readonly name: string
  /** The value of the setting. A secret is shown as null. */
  readonly value: string | null
  /** The origin of the value: `environment`, `default`, or the name of a platform variable. */
  readonly source: string
}

const readView = Effect.fnUntraced(function* (
  variable: Variable,
  { computed, part }: { readonly computed: string | undefined; readonly part: Part }
): Effect.fn.Return<View, Config.ConfigError> {
  const name = environmentName(variable.name, part)
  const given = yield* Config.option(Config.String(name))
  const platform = (yield* UsedPlatformNames).get(name)
  if (Option.isNone(given)) {
    const value = computed ?? defaultOf(variable).replaceAll("`", "")
    return { name, value, source: "default" }
  }
  const source = platform ?? "environment"
  if (computed === undefined && variable.isSecret === true) return { name, value: null, source }
  return { name, value: computed ?? given.value, source }
})

const lineOf =
  (width: number) =>
  ({ name, source, value }: View): string => {
    const shown = value === null ? "(hidden)" : printable(value)
    return `  ${name.padEnd(width)}  ${shown}${source === "default" ? "" : `  (${source})`}`
  }

export const config = Command.make(
  "config",
  { json: jsonFlag },
  Effect.fn(function* ({ json }) {
    const computed: Readonly<Record<string, string | undefined>> = computedOf(
      yield* readConfiguration
    )
    for (const part of allParts) {
      const views = yield* Effect.forEach(part.variables, (each) =>
        readView(each, { computed: part.prefix === "" ? undefined : computed[each.name], part })
      )
      const toLine = lineOf(Math.max(...views.map(({ name }) => name.length)))
      yield* json
        ? Effect.forEach(views, printJson, { discard: true })
        : Console.log([part.heading.toUpperCase(), ...views.map(toLine), ""].join("\n"))
    }
  }, explainErrors)
).pipe(Command.withDescription("Show the current settings and where each comes from"))
