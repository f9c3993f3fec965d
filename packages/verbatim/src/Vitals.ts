/**
 * How this process is doing: `Health` from the parts that its roles gave it.
 */

import { SchemaStanding } from "@verbatim/adapters/sql"
import { type MediaStoreError, Transcriber, WorkspaceStore } from "@verbatim/core/ports"
import { MediaIdentity, type MediaStanding, shareAnswer } from "@verbatim/core/services"
import { Worker } from "@verbatim/core/worker"
import { ApiKeyId, WorkspaceId } from "@verbatim/core/workspace"
import { Health } from "@verbatim/http"
import { DateTime, Duration, Effect, Fiber, Layer, Option } from "effect"
import type { Configuration } from "./Configuration.ts"
import * as Disks from "./Disks.ts"
import * as Media from "./Media.ts"

/** A store that takes longer to answer counts as down. */
const storeTimeout = Duration.seconds(2)

/** A workspace that does not exist: the cheapest question that reaches the tables. */
const nobody = WorkspaceId.make("00000000-0000-0000-0000-000000000000")

/** A key that does not exist: whoever revokes it asks for a write, and nothing is written. */
const noKey = ApiKeyId.make("00000000-0000-0000-0000-000000000000")

/** How long an answer about writing is kept, however many ask: nobody needs a key to ask. */
const keptFor = Duration.seconds(1)

/**
 * Whether a question is answered in time. After that it is abandoned: cancelling it at a server
 * that went silent takes seconds.
 */
const isAnswered = <A, E>(question: Effect.Effect<A, E>): Effect.Effect<boolean> =>
  Effect.forkDetach(Effect.timeout(question, storeTimeout)).pipe(
    Effect.flatMap((asked) => Effect.timeoutOption(Fiber.await(asked), storeTimeout)),
    Effect.map((exit) => Option.isSome(exit) && exit.value._tag === "Success")
  )

const makeKept = <A>(question: Effect.Effect<A>) => shareAnswer(question, keptFor)

const unwritable: MediaStanding = {
  _tag: "Unreachable",
  sentence: "Nothing can be written where media is kept: the disk may be full, or read-only."
}

/** The standing of a store, which is of use only where content can be written too. */
const standingOf = (
  verify: Effect.Effect<MediaStanding>,
  mustBeWritable: Effect.Effect<void, MediaStoreError>
) => {
  const isWritable = makeKept(isAnswered(mustBeWritable))
  return Effect.flatMap(verify, (standing): Effect.Effect<MediaStanding> => {
    if (standing._tag !== "Ours") return Effect.succeed(standing)
    return Effect.map(isWritable, (may) => (may ? standing : unwritable))
  })
}

/** What is wrong with the schema of the database; one that is silent, or has none, is not wrong. */
const schemaTroubles: Effect.Effect<Effect.Effect<ReadonlyArray<string>>> = Effect.map(
  Effect.serviceOption(SchemaStanding),
  Option.match({
    onNone: () => Effect.succeed([]),
    onSome: ({ pending }) =>
      makeKept(
        pending.pipe(
          Effect.map((names) =>
            names.length === 0 ? [] : [`The database lacks migrations: ${names.join(", ")}.`]
          ),
          Effect.catchTag("MigrationError", ({ message }) => Effect.succeed([message])),
          Effect.timeoutOption(storeTimeout),
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
      const identity = yield* MediaIdentity
      const transcriber = yield* Effect.serviceOption(Transcriber)
      const worker = yield* Effect.serviceOption(Worker)

      const ask = <A, B>(part: Option.Option<A>, question: (part: A) => Effect.Effect<B>) =>
        Option.match(part, {
          onNone: () => Effect.succeedNone,
          onSome: (present) => Effect.asSome(question(present))
        })

      const revoke = Effect.flatMap(DateTime.now, (now) => store.revokeKey(noKey, now))
      const takesWrites = makeKept(isAnswered(revoke))
      const schema = yield* schemaTroubles
      const disks = makeKept(Disks.makeTroubles(Disks.placesOf(settings)))

      return Health.of({
        report: Effect.all(
          {
            isStoreUp: isAnswered(store.account(nobody)),
            isReadOnly: Effect.map(takesWrites, (does) => !does),
            troubles: Effect.map(Effect.zip(schema, disks, { concurrent: true }), (both) =>
              both.flat()
            ),
            media: standingOf(identity.verify, Media.mustBeWritable(settings)),
            readiness: ask(transcriber, ({ readiness }) => readiness),
            activity: ask(worker, ({ activity }) => activity)
          },
          { concurrency: "unbounded" }
        )
      })
    })
  )
