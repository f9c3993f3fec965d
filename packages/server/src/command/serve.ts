/** `verbatim serve`: runs the server until it is stopped. */
import { ConfigProvider, Duration, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { UsedPlatformNames } from "../settings/PlatformNames.ts"
import { explainErrors } from "./explanation.ts"
import { optional } from "./flags.ts"
import { readConfiguration } from "./operation.ts"
import { refuse } from "./Refusal.ts"

/**
 * A stopping process exits after this time, so that stopping takes at most 15 s even if something
 * hangs. Abandoned work is claimed again when its lease has expired.
 */
const stopDeadline = Duration.seconds(13)

/** Exits the process if the server takes too long to stop. The countdown starts at the signal. */
const inTime = <A, E, R>(serving: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let timer: NodeJS.Timeout | undefined
    let hasEnded = false
    const begin = Effect.map(Effect.logInfo("Stopping"), () => {
      timer = setTimeout(() => process.exit(0), Duration.toMillis(stopDeadline)).unref()
    })
    // The countdown runs while the server stops, not afterwards.
    const countdown = Effect.onInterrupt(Effect.never, () => (hasEnded ? Effect.void : begin))
    const noteEnd = Effect.sync(() => {
      hasEnded = true
    })
    const stopCountdown = Effect.sync(() => clearTimeout(timer))
    return Effect.raceFirst(Effect.ensuring(serving, noteEnd), countdown).pipe(
      Effect.ensuring(stopCountdown)
    )
  })

const flags = {
  host: optional(Flag.String("host"), "Address to listen on (default: VERBATIM_HOST)"),
  port: optional(
    Flag.Int("port").pipe(
      Flag.filter(
        (port) => port >= 0 && port <= 65_535,
        () => "a whole number from 0 to 65535"
      )
    ),
    "Port to listen on (default: VERBATIM_PORT)"
  )
}

/** Lets flags override the variables for the same settings. */
const withFlags = <A, E, R>(
  serving: Effect.Effect<A, E, R>,
  { host, port }: Command.Command.Config.Infer<typeof flags>
): Effect.Effect<A, E, R> => {
  const given: Readonly<Record<string, string | undefined>> = {
    VERBATIM_HOST: host,
    VERBATIM_PORT: port?.toString()
  }
  return serving.pipe(
    Effect.updateService(
      UsedPlatformNames,
      (used) => new Map([...used].filter(([name]) => given[name] === undefined))
    ),
    Effect.updateService(ConfigProvider.ConfigProvider, (environment) =>
      ConfigProvider.make((path) => {
        const value = given[path.join("_")]
        return value === undefined
          ? environment.load(path)
          : Effect.succeed(ConfigProvider.makeValue(value))
      })
    )
  )
}

export const serve = Command.make(
  "serve",
  flags,
  Effect.fn(
    function* (_) {
      const settings = yield* readConfiguration
      // HTTP is loaded only here, because other commands start a tenth of a second earlier without
      // it.
      const { findUnknownModel } = yield* Effect.promise(() => import("../Engines.ts"))
      const unknownModel = yield* findUnknownModel(settings)
      if (Option.isSome(unknownModel)) return yield* refuse(unknownModel.value)
      const { server } = yield* Effect.promise(() => import("../Server.ts"))
      const Telemetry = yield* Effect.promise(() => import("../telemetry/Telemetry.ts"))
      const serving = Layer.launch(server(settings))
      const stopped = () => Effect.logInfo("Stopped")
      yield* inTime(Effect.provide(serving, Telemetry.layer(settings.telemetry))).pipe(
        Effect.onInterrupt(stopped)
      )
    },
    explainErrors,
    withFlags
  )
).pipe(Command.withDescription("Run the server (for settings, see `verbatim help configuration`)"))
