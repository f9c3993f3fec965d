/** Tests that a cached row is never older than the stored one. */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { layer as stores } from "@verbatim/adapters/sql"
import { hostTransactions, SqliteClient, within } from "@verbatim/adapters/sqlite"
import { PresetStore, WorkspaceStore } from "@verbatim/core/ports"
import { findPreset, keyHash, makeDraft, withWorkspace } from "@verbatim/testkit/samples"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { newFile } from "./TemporaryDatabase.ts"

/**
 * Statements that another program runs. Different numbers make a statement write different values.
 */
const writes: ReadonlyArray<(number: number) => string> = [
  (number) => `UPDATE verbatim_presets SET name = 'n${number}'`,
  (number) => `UPDATE verbatim_presets SET revision = revision + 1, updated_at = ${number}`,
  (number) => `UPDATE verbatim_presets SET status = '${number % 2 === 0 ? "Active" : "Disabled"}'`,
  (number) => `UPDATE verbatim_preset_versions SET config = '{"seed":922337203685477580${number}}'`,
  (number) => `UPDATE verbatim_preset_versions SET system_prompt = 'p${number}', comment = NULL`,
  (number) => `UPDATE verbatim_preset_versions SET created_at = created_at + ${number}`,
  (number) => `UPDATE verbatim_api_keys SET expires_at = ${number}, kind = 'inference'`,
  (number) =>
    `UPDATE verbatim_api_keys SET scopes = '["presets:read"]', requests_per_second = ${number + 1}`,
  (number) => `UPDATE verbatim_api_keys SET last_used_at = ${number}`,
  (number) => `UPDATE verbatim_api_keys SET revoked_at = ${number % 3 === 0 ? number : "NULL"}`,
  (number) => `UPDATE verbatim_workspaces SET name = 'w${number}', revision = revision + 1`,
  (number) =>
    `UPDATE verbatim_workspaces SET status = '${number % 2 === 0 ? "Active" : "Disabled"}'`,
  (number) => `DELETE FROM verbatim_presets WHERE ${number} = 9`
]

/** A writer, and whether it commits its write. */
const written = Schema.Struct({
  write: Schema.Literals(writes.map((_, index) => index)),
  number: Schema.Literals([0, 1, 2, 3, 7, 9]),
  by: Schema.Literals(["program", "ours", "transaction", "undone", "host", "undoneHost"])
})

const read = Effect.gen(function* () {
  const key = yield* Effect.flatMap(WorkspaceStore, (store) => store.findKey(keyHash(1)))
  const preset = yield* findPreset()
  const version = Option.isNone(preset)
    ? Option.none()
    : yield* Effect.flatMap(PresetStore, (store) => store.version(preset.value.preset.id, 1))
  return { key, preset, version }
})

/** Reads a row with and without tracing, because tracing turns the cache off. */
const readBoth = Effect.gen(function* () {
  const found = yield* Effect.withTracerEnabled(read, false)
  assert.deepStrictEqual(found, yield* Effect.withTracerEnabled(read, true))
  assert.deepStrictEqual(yield* Effect.withTracerEnabled(read, false), found)
  return found
})

const open = (filename: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename)),
    (database) => Effect.sync(() => database.close())
  )

/** Provides the stores on a file, and host transactions. */
const withHostSavepoints = (filename: string) =>
  Layer.merge(stores(), hostTransactions).pipe(Layer.provideMerge(SqliteClient.layer({ filename })))

/** Returns the writers. Uncommitted writes are invisible outside their transaction. */
const makeWriters = Effect.fnUntraced(function* (filename: string) {
  const sql = yield* SqlClient.SqlClient
  const context = yield* Effect.context<PresetStore | WorkspaceStore>()
  const [other, host] = [yield* open(filename), yield* open(filename)]
  other.exec("PRAGMA foreign_keys = OFF")
  const outside = Effect.sync(() => Effect.runSyncWith(context)(Effect.exit(readBoth)))
  const lookAround = Effect.gen(function* () {
    const before = yield* outside
    yield* readBoth
    assert.deepStrictEqual(yield* outside, before)
  })
  // A write that violates a foreign key fails, and changes nothing.
  const write = (text: string) => Effect.ignore(sql.unsafe(text))
  const inHost = (text: string, end: "COMMIT" | "ROLLBACK") =>
    Effect.gen(function* () {
      const before = yield* outside
      host.exec("BEGIN IMMEDIATE")
      yield* within(host)(Effect.andThen(write(text), lookAround))
      assert.deepStrictEqual(yield* outside, before)
      host.exec(end)
    })
  return {
    program: (text: string) => Effect.sync(() => other.exec(text)),
    ours: write,
    transaction: (text: string) => sql.withTransaction(Effect.andThen(write(text), lookAround)),
    undone: (text: string) =>
      sql
        .withTransaction(Effect.andThen(Effect.andThen(write(text), lookAround), Effect.fail(0)))
        .pipe(Effect.ignore),
    host: (text: string) => inHost(text, "COMMIT"),
    undoneHost: (text: string) => inHost(text, "ROLLBACK")
  }
})

describe("a row that a lookup returns", () => {
  it.effect.prop(
    "has the value that was written last, whether tracing is on or off",
    [Schema.Array(written).check(Schema.isMaxLength(8))],
    ([steps]) =>
      Effect.scoped(
        Effect.gen(function* () {
          const filename = yield* newFile
          mkdirSync(dirname(filename))
          yield* withWorkspace(function* () {
            yield* Effect.flatMap(PresetStore, (store) => store.append(makeDraft(1)))
            const writers = yield* makeWriters(filename)
            for (const { by, number, write } of steps) {
              yield* writers[by](writes[write]?.(number) ?? "")
              yield* readBoth
            }
          }).pipe(Effect.provide(withHostSavepoints(filename)))
        })
      ),
    { arbitrary: { runs: 60 } }
  )
})
