/**
 * A process of the server that answers and works, with engines that answer at once: what is
 * measured is the queue, not speech.
 */
import "effect/schema/SchemaJITCompiler/enable"
import { ConfigProvider, Effect, Layer, References } from "effect"
import { configuration } from "../../packages/server/src/Configuration.ts"
import { work } from "../../packages/server/src/Engines.ts"
import { serverWith } from "../../packages/server/src/Server.ts"
import { engines } from "../jobs/Engines.ts"

const settings = Effect.runSync(configuration.parse(ConfigProvider.fromEnv()))

const working = Layer.provideMerge(work(settings), engines)

serverWith(settings, working).pipe(
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "Error" as const)),
  Layer.provide(Layer.succeed(References.TracerEnabled, false)),
  Layer.launch,
  Effect.runFork
)
