/** Reports the health of this process. The report covers only the parts that its roles use. */
import { PoolerCheck, SchemaMonitor } from "@verbatim/adapters/sql"
import { type MediaStoreError, WorkspaceStore } from "@verbatim/core/ports"
import { type MediaIdentity, type MediaStoreStatus, shareInFlight } from "@verbatim/core/services"
import { ApiKeyId } from "@verbatim/core/workspace"
import { Health, isAnswered, makeHealthParts } from "@verbatim/http"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import type { Configuration } from "./Configuration.ts"
import * as Disks from "./Disks.ts"
import * as Media from "./Media.ts"

/** If the database takes longer than this to respond, missing migrations are not reported. */
const schemaTimeout = Duration.seconds(2)

/**
 * An id that no key has. Revoking it changes nothing, but shows whether the store accepts writes.
 */
const noKey = ApiKeyId.make("00000000-0000-0000-0000-000000000000")

/**
 * Callers share one result for this long. Health checks need no key, so anyone could request many
 * of them.
 */
const shareDuration = Duration.seconds(1)

const shareFor = <A>(question: Effect.Effect<A>) => shareInFlight(question, shareDuration)

const unwritable: MediaStoreStatus = {
  _tag: "Unreachable",
  sentence: "The media store is not writable: its disk may be full or read-only."
}

/**
 * Returns the state of the media store. A store that cannot be written to counts as unavailable.
 */
const checkWritable = (
  verify: Effect.Effect<MediaStoreStatus>,
  writing: Effect.Effect<void, MediaStoreError>
) => {
  const isWritable = shareFor(isAnswered(writing))
  return Effect.flatMap(verify, (standing): Effect.Effect<MediaStoreStatus> => {
    if (standing._tag !== "Ours") return Effect.succeed(standing)
    return Effect.map(isWritable, (may) => (may ? standing : unwritable))
  })
}

/**
 * Returns a function that checks database sessions and the schema. The function reports nothing if
 * the database is slow to respond or has no schema.
 */
const makeSchemaCheck: Effect.Effect<Effect.Effect<ReadonlyArray<string>>> = Effect.map(
  Effect.serviceOption(SchemaMonitor),
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
          // The report can be read without a key, so the sentence does not name the database.
          Effect.catchIf(PoolerCheck.isPoolerError, ({ message }) => Effect.succeed([message])),
          Effect.timeoutOption(schemaTimeout),
          Effect.map(Option.getOrElse((): ReadonlyArray<string> => [])),
          // A failed check reports nothing, because another part of the report says whether the
          // database responds.
          Effect.orElseSucceed((): ReadonlyArray<string> => [])
        )
      )
  })
)

/**
 * Reports the health of the stores and disks, and of the engine and the worker if there are any.
 */
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
            media: checkWritable(parts.media, Media.checkWritable(settings))
          },
          { concurrency: "unbounded" }
        )
      })
    })
  )
