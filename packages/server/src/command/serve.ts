/**
 * `verbatim serve`: the server, until it is told to stop.
 */
import { Duration, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { explainErrors } from "./explanation.ts"
import { readConfiguration } from "./operation.ts"

/**
 * A stop ends within 15 s, whatever hangs. Abandoned work is found by the next claim: that is what
 * leases are for.
 */
const stopDeadline = Duration.seconds(13)

const abandon = Effect.sync(() => {
  const exit = () => process.exit(0)
  setTimeout(exit, Duration.toMillis(stopDeadline)).unref()
})

/** The command. */
export const serve = Command.make(
  "serve",
  {},
  Effect.fn(function* () {
    const settings = yield* readConfiguration
    // Read here: the other commands start a tenth of a second earlier without HTTP.
    const { server } = yield* Effect.promise(() => import("../Server.ts"))
    const Telemetry = yield* Effect.promise(() => import("../telemetry/Telemetry.ts"))
    // Beside the server, not after it: the countdown begins with the signal, not after the stop.
    const deadline = Effect.onInterrupt(Effect.never, () => abandon)
    const serving = Effect.raceFirst(Layer.launch(server(settings)), deadline)
    yield* Effect.provide(serving, Telemetry.layer(settings.telemetry))
  }, explainErrors)
).pipe(Command.withDescription("Run the server; `verbatim help configuration` tells its variables"))
