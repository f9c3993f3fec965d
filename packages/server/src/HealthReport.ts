/**
 * How this process is doing: `Health` from the parts that its roles gave it.
 */
import { KeptSessions, SchemaStanding } from "@verbatim/adapters/sql"
import { type MediaStoreError, WorkspaceStore } from "@verbatim/core/ports"
import { type MediaIdentity, type MediaStoreStatus, shareInFlight } from "@verbatim/core/services"
import { ApiKeyId } from "@verbatim/core/workspace"
import { Health, isAnswered, makeHealthParts } from "@verbatim/http"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import type { Configuration } from "./Configuration.ts"
import * as Disks from "./Disks.ts"
import * as Media from "./Media.ts"

/** A database that takes longer to tell of its migrations tells nothing. */
const schemaTimeout = Duration.seconds(2)

/** A key that does not exist: whoever revokes it asks for a write, and nothing is written. */
const noKey = ApiKeyId.make("00000000-0000-0000-0000-000000000000")

/** How long an answer about writing is kept, however many ask: nobody needs a key to ask. */
const shareDuration = Duration.seconds(1)

const shareFor = <A>(question: Effect.Effect<A>) => shareAnswer(question, shareDuration)

const unwritable: MediaStoreStatus = {
  _tag: "Unreachable",
  sentence: "The media store is not writable: its disk may be full or read-only."
}

/** The standing of a store, which is of use only where content can be written too. */
const checkWritable = (
  verify: Effect.Effect<MediaStanding>,
  mustBeWritable: Effect.Effect<void, MediaStoreError>
) => {
  const isWritable = shareFor(isAnswered(mustBeWritable))
  return Effect.flatMap(verify, (standing): Effect.Effect<MediaStanding> => {
    if (standing._tag !== "Ours") return Effect.succeed(standing)
    return Effect.map(isWritable, (may) => (may ? standing : unwritable))
  })
}

/**
 * What is wrong with sessions, or with the schema of the database; one that is silent, or has
 * none, is not wrong.
 */
const makeSchemaCheck: Effect.Effect<Effect.Effect<ReadonlyArray<string>>> = Effect.map(
  Effect.serviceOption(SchemaStanding),
  Option.match({
    onNone: () => Effect.succeed([]),
    onSome: ({ pending }) =>
      shareFor(
        pending.pipe(
          Effect.map((names) =>
            names.length === 0
              ? []
              : [`Migrations are missing in the database: ${names.join(", ")}.`]
          ),
          Effect.catchTag("MigrationError", ({ message }) => Effect.succeed([message])),
          // The sentence names no database: this report needs no key.
          Effect.catchIf(KeptSessions.isPooled, ({ message }) => Effect.succeed([message])),
          Effect.timeoutOption(schemaTimeout),
          Effect.map(Option.getOrElse((): ReadonlyArray<string> => [])),
          // Whether the database answers is asked, and told, by itself.
          Effect.orElseSucceed((): ReadonlyArray<string> => [])
        )
      )
  })
)

/** Reports the stores, the disks, and the engine and worker where there are any. */
export const layer = (
  settings: Configuration
): Layer.Layer<Health, never, MediaIdentity | WorkspaceStore> =>
  Layer.effect(
    Health,
    Effect.gen(function* () {
      const store = yield* WorkspaceStore
      const parts = yield* makeHealthParts
      const revoke = Effect.flatMap(DateTime.now, (now) => store.revokeKey(noKey, now))
      const takesWrites = shareFor(isAnswered(revoke))
      const schema = yield* makeSchemaCheck
      const disks = shareFor(Disks.makeDiskCheck(Disks.listWriteFolders(settings)))

      return Health.of({
        report: Effect.all(
          {
            ...parts,
            isReadOnly: Effect.map(takesWrites, (does) => !does),
            troubles: Effect.map(Effect.zip(schema, disks, { concurrent: true }), (both) =>
              both.flat()
            ),
            media: checkWritable(parts.media, Media.mustBeWritable(settings))
          },
          { concurrency: "unbounded" }
        )
      })
    })
  )
