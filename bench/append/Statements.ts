/**
 * The store's `append`, and beside it the very statement that it runs, given to Postgres by a plain
 * driver: sixteen writers on one slug each.
 */
import { randomUUID } from "node:crypto"
import * as Postgres from "@verbatim/adapters/postgres"
import { PresetStore } from "@verbatim/core/ports"
import { type PresetDraft, PresetId, PresetVersionId } from "@verbatim/core/preset"
import { foundFirst, makeDraft } from "@verbatim/testkit/samples"
import { type Context, DateTime, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { Statement } from "effect/sql"
import { Pool } from "pg"

/** Writers, and as many sessions for them on both sides. */
export const writers = 16

type Store = Context.Service.Shape<typeof PresetStore>

/** What a writer adds; its slug is shared by all of a side. */
const drafted = (slug: string): PresetDraft => ({
  ...makeDraft(1),
  slug: slug as PresetDraft["slug"],
  presetId: PresetId.make(randomUUID()),
  versionId: PresetVersionId.make(randomUUID()),
  at: DateTime.nowUnsafe()
})

/** The statement of `append`, as it goes to the server, and its parameters. */
const compiled = Effect.fnUntraced(function* (store: Store, version: PresetDraft) {
  const seen: Array<readonly [string, ReadonlyArray<unknown>]> = []
  const record: Statement.Transformer = (statement) =>
    Effect.sync(() => {
      seen.push(statement.compile())
      return statement
    })
  yield* Effect.provideService(store.append(version), Statement.CurrentTransformer, record)
  const [first, second] = seen
  if (first === undefined || second !== undefined) return yield* Effect.die("not one statement")
  return first
})

/** Writes for a time, and counts. */
const counting = (millis: number) => {
  const startedAt = performance.now()
  let written = 0
  return {
    goesOn: () => performance.now() - startedAt < millis,
    count: () => {
      written += 1
    },
    rate: () => (written * 1000) / (performance.now() - startedAt)
  }
}

const rateOf = async (millis: number, write: () => Promise<unknown>): Promise<number> => {
  const { count, goesOn, rate } = counting(millis)
  const loop = async () => {
    while (goesOn()) {
      await write()
      count()
    }
  }
  await Promise.all(Array.from({ length: writers }, loop))
  return rate()
}

const rateOfEffect = Effect.fnUntraced(function* <E>(
  millis: number,
  write: () => Effect.Effect<unknown, E>
) {
  const { count, goesOn, rate } = counting(millis)
  const loop = Effect.gen(function* () {
    while (goesOn()) {
      yield* write()
      count()
    }
  })
  yield* Effect.all(
    Array.from({ length: writers }, () => loop),
    { concurrency: writers }
  )
  return rate()
})

/** Both sides over one database. */
export const statements = async (databaseUrl: string) => {
  const runtime = ManagedRuntime.make(
    Layer.orDie(Postgres.layer({ url: Redacted.make(databaseUrl), connectionsMax: writers }))
  )
  const store = await runtime.runPromise(Effect.as(foundFirst, PresetStore).pipe(Effect.flatten))
  const sample = drafted("peer")
  const [text, parameters] = await runtime.runPromise(compiled(store, sample))
  const pool = new Pool({ connectionString: databaseUrl, max: writers })
  const appendBare = () => {
    const fresh = drafted("peer")
    const values = parameters.map((value) => {
      if (value === sample.presetId) return fresh.presetId
      return value === sample.versionId ? fresh.versionId : value
    })
    return pool.query({ name: "append", text, values })
  }
  return {
    ours: (millis: number) =>
      runtime.runPromise(rateOfEffect(millis, () => store.append(drafted("ours")))),
    peer: (millis: number) => rateOf(millis, appendBare),
    [Symbol.asyncDispose]: async () => {
      await pool.end()
      await runtime.dispose()
    }
  }
}
