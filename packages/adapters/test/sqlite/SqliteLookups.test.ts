/** What is remembered of rows is never older than the rows. */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { PresetStore, WorkspaceStore } from "@verbatim/core/ports"
import { foundPreset, keyHash, makeDraft, withWorkspace } from "@verbatim/testkit/samples"
import { Effect, Option, Schema } from "effect"
import { makeRowMemory } from "#src/sql/row/RowMemory"
import { newFile, withClient } from "./TemporaryDatabase.ts"

/** What another program writes, with a number of its own. */
const writes: ReadonlyArray<(number: number) => string> = [
  (number) => `UPDATE presets SET name = 'n${number}'`,
  (number) => `UPDATE presets SET revision = revision + 1, updated_at = ${number}`,
  (number) => `UPDATE presets SET status = '${number % 2 === 0 ? "Active" : "Disabled"}'`,
  (number) => `UPDATE preset_versions SET config = '{"seed":922337203685477580${number}}'`,
  (number) => `UPDATE preset_versions SET system_prompt = 'p${number}', comment = NULL`,
  (number) => `UPDATE preset_versions SET created_at = created_at + ${number}`,
  (number) => `UPDATE api_keys SET expires_at = ${number}, kind = 'inference'`,
  (number) =>
    `UPDATE api_keys SET scopes = '["presets:read"]', requests_per_second = ${number + 1}`,
  (number) => `UPDATE api_keys SET last_used_at = ${number}`,
  (number) => `UPDATE api_keys SET revoked_at = ${number % 3 === 0 ? number : "NULL"}`,
  (number) => `UPDATE workspaces SET name = 'w${number}', revision = revision + 1`,
  (number) => `UPDATE workspaces SET status = '${number % 2 === 0 ? "Active" : "Disabled"}'`,
  (number) => `DELETE FROM presets WHERE ${number} = 9`
]

const written = Schema.Struct({
  write: Schema.Literals(writes.map((_, index) => index)),
  number: Schema.Literals([0, 1, 2, 3, 7, 9])
})

const read = Effect.gen(function* () {
  const key = yield* Effect.flatMap(WorkspaceStore, (store) => store.findKey(keyHash(1)))
  const preset = yield* foundPreset()
  const version = Option.isNone(preset)
    ? Option.none()
    : yield* Effect.flatMap(PresetStore, (store) => store.version(preset.value.preset.id, 1))
  return { key, preset, version }
})

describe("a row that is looked up", () => {
  it.effect.prop(
    "is what another program has just made of it, and is read alike where somebody traces",
    [Schema.Array(written).check(Schema.isMaxLength(8))],
    ([steps]) =>
      Effect.scoped(
        Effect.gen(function* () {
          const filename = yield* newFile
          mkdirSync(dirname(filename))
          yield* withWorkspace(function* () {
            yield* Effect.flatMap(PresetStore, (store) => store.append(makeDraft(1)))
            const other = yield* Effect.acquireRelease(
              Effect.sync(() => new DatabaseSync(filename)),
              (database) => Effect.sync(() => database.close())
            )
            other.exec("PRAGMA foreign_keys = OFF")
            for (const { number, write } of steps) {
              other.exec(writes[write]?.(number) ?? "")
              const found = yield* Effect.withTracerEnabled(read, false)
              assert.deepStrictEqual(found, yield* Effect.withTracerEnabled(read, true))
              assert.deepStrictEqual(yield* Effect.withTracerEnabled(read, false), found)
            }
          }).pipe(Effect.provide(withClient(filename)))
        })
      ),
    { arbitrary: { runs: 40 } }
  )
})

const megabyte = "x".repeat(1_048_576)

describe("a memory of rows", () => {
  it("knows a row by all of its columns", () => {
    const memory = makeRowMemory<number>()
    memory.keep("a", ["a", 1, null], 1)
    assert.strictEqual(memory.find("a", ["a", 1, null]), 1)
    for (const columns of [
      ["a", 1, 0],
      ["a", "1", null],
      ["b", 1, null]
    ]) {
      assert.isUndefined(memory.find("a", columns))
    }
    assert.isUndefined(memory.find("b", ["a", 1, null]))
  })

  it("holds two million characters, and begins anew when there are more", () => {
    const memory = makeRowMemory<number>()
    const rows = [
      ["1", megabyte.slice(1)],
      ["2", megabyte.slice(1)],
      ["3", "short"]
    ] as const
    for (const [key, text] of rows) memory.keep(key, [key, text], Number(key))
    assert.deepStrictEqual(
      rows.map(([key, text]) => memory.find(key, [key, text])),
      [undefined, undefined, 3]
    )
    memory.keep("4", [megabyte, megabyte, "x"], 4)
    assert.isUndefined(memory.find("4", [megabyte, megabyte, "x"]))
  })

  it("takes the place of a row that has changed", () => {
    const memory = makeRowMemory<number>()
    for (let made = 0; made < 9; made += 1) memory.keep("1", [`${made}${megabyte}`], made)
    memory.keep("2", ["short"], 2)
    assert.strictEqual(memory.find("1", [`8${megabyte}`]), 8)
  })
})
