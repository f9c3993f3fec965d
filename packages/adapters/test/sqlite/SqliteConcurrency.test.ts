/** Several connections to one file: in one program, and in several. */

import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { JobStore } from "@verbatim/core/ports/JobStore"
import { PresetStore } from "@verbatim/core/ports/PresetStore"
import { WorkQueue } from "@verbatim/core/ports/WorkQueue"
import { leaseToken, upTo } from "@verbatim/testkit/samples/Ids"
import { creation, uploaded } from "@verbatim/testkit/samples/SampleJob"
import { draft, foundPreset, whole } from "@verbatim/testkit/samples/SamplePreset"
import { founded } from "@verbatim/testkit/samples/SampleWorkspace"
import { roomOf } from "@verbatim/testkit/samples/Stored"
import { Deferred, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as ChildProgram from "./ChildProgram.ts"
import { newFile } from "./TemporaryDatabase.ts"

const open = (filename: string) => Layer.build(Layer.fresh(layer({ filename })))

const sorted = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)

/** The versions that the store has, of the preset that everybody appends to. */
const stored = Effect.gen(function* () {
  const presets = yield* PresetStore
  const { preset, version } = Option.getOrThrow(yield* foundPreset())
  const versions = yield* presets.versions(preset.id, whole)
  assert.strictEqual(preset.latestVersion, versions.length)
  assert.strictEqual(version.version, versions.length)
  return versions.map(({ version }) => version)
})

/** Starting a program takes a second, and several on a busy machine. */
const programMillisMax = 30_000

describe("a SQLite file", () => {
  it.live("gives dense versions to 64 writers on each of two connections", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const one = yield* open(filename)
      const other = yield* open(filename)
      yield* Effect.provide(founded, one)
      const append = (number: number) =>
        Effect.flatMap(PresetStore, (presets) => presets.append(draft(number))).pipe(
          Effect.provide(number % 2 === 0 ? one : other)
        )
      const appended = yield* Effect.forEach(upTo(128), append, { concurrency: "unbounded" })
      assert.deepStrictEqual(sorted(appended.map(({ version }) => version.version)), upTo(128))
      assert.deepStrictEqual(yield* Effect.provide(stored, one), upTo(128))
    })
  )

  it.live(
    "gives dense versions to 64 writers in each of two programs",
    () =>
      Effect.gen(function* () {
        const filename = yield* newFile
        const here = yield* open(filename)
        yield* Effect.provide(founded, here)
        const task = ChildProgram.run("append", filename)
        const said = yield* Effect.all([task, task], { concurrency: 2 })
        assert.deepStrictEqual(sorted(said.flat().map(Number)), upTo(128))
        assert.deepStrictEqual(yield* Effect.provide(stored, here), upTo(128))
      }).pipe(Effect.provide(NodeServices.layer)),
    programMillisMax
  )

  it.live("hands out each piece of work once to claims on two connections", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const one = yield* open(filename)
      const other = yield* open(filename)
      const insert = (number: number) =>
        Effect.flatMap(JobStore, (jobs) => jobs.insert(creation(uploaded(number))))
      yield* Effect.provide(Effect.forEach(upTo(100), insert, { discard: true }), one)
      const claim = (number: number) =>
        Effect.flatMap(WorkQueue, (queue) =>
          queue.claim({
            token: leaseToken(number),
            ...roomOf({ kinds: ["Transcribe"], limit: 7 })
          })
        ).pipe(Effect.provide(number % 2 === 0 ? one : other))
      const claims = yield* Effect.forEach(upTo(40), claim, { concurrency: "unbounded" })
      const ids = claims.flatMap(({ jobs }) => jobs.map(({ id }) => id))
      assert.strictEqual(ids.length, 100)
      assert.strictEqual(new Set(ids).size, 100)
    })
  )

  it.live("refuses a version after five seconds when somebody holds the file", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const here = yield* open(filename)
      yield* Effect.provide(founded, here)
      const begun = yield* Deferred.make<void>()
      const endless = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
      )
      yield* Effect.forkChild(Effect.provide(endless, SqliteClient.layer({ filename })))
      yield* Deferred.await(begun)
      const startedAt = performance.now()
      const append = Effect.flatMap(PresetStore, (presets) => presets.append(draft(1)))
      const { reason } = yield* Effect.flip(Effect.provide(append, here))
      assert.strictEqual(reason._tag, "Contended")
      assert.isAtLeast(performance.now() - startedAt, 5_000)
      assert.isTrue(Option.isNone(yield* Effect.provide(foundPreset(), here)))
    })
  )
})
