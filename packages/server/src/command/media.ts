/**
 * `verbatim media`: for operators who move media to another place on purpose.
 */
import { adopt } from "@verbatim/core/services"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { configuration } from "../Configuration.ts"
import * as Media from "../Media.ts"
import { onStore } from "./operation.ts"
import { Refusal } from "./Refusal.ts"

const adoptMedia = Command.make(
  "adopt",
  {},
  Effect.fn(function* () {
    const settings = yield* configuration
    const standing = yield* Effect.provide(adopt, Media.layer(settings))
    if (standing._tag !== "Ours") return yield* new Refusal({ sentence: standing.sentence })
    yield* Console.log("The media store of this configuration belongs to its database now.")
  }, onStore)
).pipe(
  Command.withDescription("Mark the media store of this configuration as that of its database")
)

/** The command. */
export const media = Command.make("media").pipe(
  Command.withDescription("Say which media store belongs to the database"),
  Command.withSubcommands([adoptMedia])
)
