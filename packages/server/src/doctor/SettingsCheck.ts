/** Settings that can be read, and look wrong all the same. */
import { availableParallelism } from "node:os"
import type * as Networks from "@verbatim/core/outbound"
import { Effect, Layer, Option } from "effect"
import type { Configuration } from "../Configuration.ts"
import * as Misspelling from "../Misspelling.ts"
import * as Templates from "../Templates.ts"
import { type Check, type Finding, failed, ok, warning } from "./Finding.ts"

const what = "settings"

/** Networks that leave nothing to guard. */
const everything: ReadonlySet<string> = new Set(["0.0.0.0/0", "::/0"])

const isEverything = (networks: Networks.Networks): boolean =>
  networks.some((network) => everything.has(network.toString()))

/** More transcriptions side by side than this for each core make all of them slow. */
const perCoreMax = 4

/** A rule for settings: when it holds, the sentence is told. */
interface Rule {
  readonly holds: (settings: Configuration) => boolean
  readonly sentence: string
}

const isLocalMedia = ({ bucket }: Configuration): boolean => Option.isNone(bucket)

const rules: ReadonlyArray<Rule> = [
  {
    holds: ({ database }) => database._tag === "Memory",
    sentence:
      "VERBATIM_DATABASE_URL is memory: nothing outlives the process, and no other one sees it"
  },
  {
    holds: (settings) => settings.database._tag === "Postgres" && isLocalMedia(settings),
    sentence:
      "the database can be shared by machines, and media is in a folder of this one: set " +
      "VERBATIM_MEDIA_URL=s3://… where processes run on several"
  },
  {
    holds: ({ allowNetworks }) => isEverything(allowNetworks),
    sentence:
      "VERBATIM_ALLOW_NETWORKS holds every address: callers reach this machine and its network"
  },
  {
    holds: ({ transcribeConcurrency }) =>
      transcribeConcurrency > perCoreMax * availableParallelism(),
    sentence: `VERBATIM_TRANSCRIBE_CONCURRENCY is over ${perCoreMax} for each core: all get slow`
  }
]

const templates = (settings: Configuration): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.scoped(Layer.build(Templates.layer(settings))).pipe(
    Effect.as([]),
    Effect.catch((error) =>
      Effect.succeed(
        error instanceof Templates.TemplatesError ? [failed("templates", error.sentence)] : []
      )
    )
  )

/** The settings of this process, and variables that nobody reads. */
export const settingsCheck = (settings: Configuration): Check => ({
  what,
  look: Effect.gen(function* () {
    const misspelt = yield* Misspelling.find
    const told = [
      ...misspelt,
      ...rules.filter(({ holds }) => holds(settings)).map(({ sentence }) => sentence)
    ]
    const doubts = [
      ...told.map((sentence) => warning(what, sentence)),
      ...(yield* templates(settings))
    ]
    return doubts.length > 0 ? doubts : [ok(what, "every variable is read and none looks wrong")]
  })
})
