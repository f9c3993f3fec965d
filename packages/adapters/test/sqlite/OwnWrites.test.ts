/**
 * Tests that once a write has returned, every service over the same client finds the written rows,
 * or the rows that prevented the write. Transactions that share a COMMIT return only after it, and
 * no cache keeps older rows.
 */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layer as stores } from "@verbatim/adapters/sql"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { PresetStore } from "@verbatim/core/ports"
import {
  designate,
  foundFirst,
  makeDraft,
  revisionOf,
  slug,
  upTo,
  userId,
  workspaceId
} from "@verbatim/testkit/samples"
import { Context, Effect, Exit, Layer, Option } from "effect"
import { newFile } from "./TemporaryDatabase.ts"

const writerCount = 16

const roundCount = 12

/** Stores with separate caches over one client, like the services in one process. */
const opened = Effect.gen(function* () {
  const filename = yield* newFile
  mkdirSync(dirname(filename))
  const client = Layer.succeedContext(yield* Layer.build(SqliteClient.layer({ filename })))
  const open = Layer.build(Layer.provide(Layer.fresh(stores()), client))
  const first = yield* open
  yield* Effect.provide(foundFirst, first)
  const others = yield* Effect.forEach(upTo(writerCount - 1), () => open)
  return [first, ...others].map((context) => Context.get(context, PresetStore))
})

const find = (store: PresetStore["Service"]) =>
  Effect.flatMap(store.find(workspaceId(1), slug("support")), Effect.fromOption)

describe("over one client", () => {
  it.live("every service finds an added version and its preset", () =>
    Effect.gen(function* () {
      const services = yield* opened
      const write = Effect.fnUntraced(function* (own: PresetStore["Service"], writer: number) {
        for (const round of upTo(roundCount)) {
          const other = services[(writer + round) % writerCount] ?? own
          // Makes the other service cache the old value.
          yield* Effect.ignore(find(other))
          const made = yield* own.append(makeDraft(writer * roundCount + round))
          const { preset } = yield* find(other)
          assert.isAtLeast(preset.latestVersion, made.version.version)
          const version = yield* other.version(preset.id, made.version.version)
          assert.deepStrictEqual(Option.getOrUndefined(version), made.version)
        }
      })
      yield* Effect.forEach(services, write, { concurrency: "unbounded" })
      const { preset } = yield* find(services[0] ?? assert.fail())
      assert.strictEqual(preset.latestVersion, writerCount * roundCount)
    })
  )

  it.live("every service finds the changes that other services make", () =>
    Effect.gen(function* () {
      const services = yield* opened
      const [first] = services
      if (first === undefined) return assert.fail()
      const { version } = yield* first.append(makeDraft(1))
      let changes = 0
      const write = Effect.fnUntraced(function* (own: PresetStore["Service"], writer: number) {
        for (const round of upTo(roundCount)) {
          const other = services[(writer + round) % writerCount] ?? own
          const { preset } = yield* find(own)
          const revision = revisionOf(preset, { event: designate(version), by: userId(writer + 1) })
          const changed = yield* Effect.exit(own.revise(revision))
          if (Exit.isSuccess(changed)) changes += 1
          const after = yield* find(other)
          assert.isAbove(after.preset.revision, preset.revision)
        }
      })
      yield* Effect.forEach(services, write, { concurrency: "unbounded" })
      assert.isAtLeast(changes, roundCount)
    })
  )
})
