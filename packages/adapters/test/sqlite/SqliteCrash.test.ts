/** Tests that a killed program leaves all acknowledged writes and no partial writes. */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { JobId } from "@verbatim/core/attempt"
import { JobStore } from "@verbatim/core/ports"
import { creation, findPreset, makeUploadJob, upTo, versionsOf } from "@verbatim/testkit/samples"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as ChildProgram from "./ChildProgram.ts"
import { newFile, withClient } from "./TemporaryDatabase.ts"

const newFolder = Effect.tap(newFile, (filename) => Effect.sync(() => mkdirSync(dirname(filename))))

/** Finds jobs with inconsistent rows, such as a gap in the history or a missing row of work. */
const broken = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT id FROM verbatim_jobs
    LEFT JOIN verbatim_job_history ON verbatim_job_history.job_id = verbatim_jobs.id
    LEFT JOIN verbatim_work ON verbatim_work.job_id = verbatim_jobs.id
    GROUP BY verbatim_jobs.id
    HAVING count(verbatim_job_history.revision) <> verbatim_jobs.revision
      OR count(verbatim_work.job_id) = 0
    UNION ALL SELECT job_id FROM verbatim_job_history WHERE job_id NOT IN (SELECT id
      FROM verbatim_jobs)`
})

const killed = (lineCount: number) =>
  Effect.gen(function* () {
    const filename = yield* newFolder
    const said = yield* ChildProgram.killAfter(lineCount, { task: "commit", filename })
    yield* Effect.gen(function* () {
      const jobs = yield* JobStore
      for (const line of said) {
        const [id = "", revision] = line.split(" ")
        const entries = yield* jobs.history(JobId.make(id))
        assert.isAtLeast(entries.length, Number(revision), `${line} of ${said.length} lines`)
      }
      assert.deepStrictEqual(yield* broken, [])
    }).pipe(Effect.provide(withClient(filename)))
  }).pipe(Effect.provide(NodeServices.layer))

describe("a SQLite file after its program was killed", () => {
  it.live("has all writes that were acknowledged before the kill, and is consistent", () =>
    killed(50)
  )

  it.live("has every version that was acknowledged to one of sixteen writers, without gaps", () =>
    Effect.gen(function* () {
      const filename = yield* newFolder
      const said = yield* ChildProgram.killAfter(200, { task: "share", filename })
      yield* Effect.gen(function* () {
        const found = Option.getOrThrow(yield* findPreset())
        const stored = yield* versionsOf(found.preset.id)
        const lines = stored.map(({ id, version }) => `${version} ${id}`)
        assert.deepStrictEqual(
          said.filter((line) => !lines.includes(line)),
          []
        )
        assert.deepStrictEqual(
          stored.map(({ version }) => version),
          upTo(found.preset.latestVersion)
        )
      }).pipe(Effect.provide(withClient(filename)))
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("has neither an uncommitted transaction nor its lock", () =>
    Effect.gen(function* () {
      const filename = yield* newFolder
      const said = yield* ChildProgram.killAfter(1, { task: "hesitate", filename })
      assert.deepStrictEqual(said, ["half"])
      yield* Effect.gen(function* () {
        const jobs = yield* JobStore
        const { id, workspaceId } = makeUploadJob(1)
        assert.isTrue((yield* jobs.find(workspaceId, id))._tag === "None")
        assert.deepStrictEqual(yield* jobs.history(id), [])
        yield* jobs.insert(creation(makeUploadJob(1)))
        assert.deepStrictEqual(yield* broken, [])
      }).pipe(Effect.provide(withClient(filename)))
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
