/**
 * Uses the same database from a second program: `node ChildWriter.ts <task> <file>`. The program
 * prints a line as soon as a write is acknowledged, so that the test that kills the program knows
 * which writes must have been stored.
 */
import { writeSync } from "node:fs"
import { layer as stores } from "@verbatim/adapters/sql"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { JobStore, PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import {
  attemptStarted,
  commitOf,
  creation,
  foundFirst,
  makeDraft,
  makeUploadJob,
  upTo
} from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const say = (line: string) => Effect.sync(() => writeSync(1, `${line}\n`))

/** More jobs than any test needs. */
const jobMax = 1_000_000
const versionMax = 100_000
const aWhile = Effect.sleep("1 minute")

const tasks = {
  /** Appends versions, sixteen at a time, until the program is killed. */
  share: Effect.gen(function* () {
    const presets = yield* PresetStore
    const append = (number: number) =>
      Effect.flatMap(presets.append(makeDraft(number)), ({ version }) =>
        say(`${version.version} ${version.id}`)
      )
    yield* foundFirst
    yield* Effect.forEach(upTo(versionMax), append, { concurrency: 16, discard: true })
  }),
  /** Inserts jobs and writes commits for these jobs, until the program is killed. */
  commit: Effect.gen(function* () {
    const jobs = yield* JobStore
    for (let number = 1; number <= jobMax; number++) {
      const job = makeUploadJob(number)
      yield* jobs.insert(creation(job))
      yield* say(`${job.id} 1`)
      yield* jobs.commit(commitOf(job, { events: [attemptStarted()] }))
      yield* say(`${job.id} 2`)
    }
  }),
  /** Waits inside a transaction that has written a row, until the program is killed. */
  hesitate: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const jobs = yield* JobStore
    const insertion = jobs.insert(creation(makeUploadJob(1)))
    const half = Effect.andThen(insertion, sql`DELETE FROM verbatim_work`)
    yield* sql.withTransaction(Effect.andThen(half, Effect.andThen(say("half"), aWhile)))
  })
}

const isTask = (name: string): name is keyof typeof tasks => Object.hasOwn(tasks, name)

const [task = "", filename = ""] = process.argv.slice(2)
if (!isTask(task)) throw new Error(`no such task: ${task}`)

await Effect.runPromise(
  Effect.provide(
    tasks[task] as Effect.Effect<
      void,
      unknown,
      JobStore | PresetStore | WorkspaceStore | SqlClient.SqlClient
    >,
    Layer.provideMerge(stores(), SqliteClient.layer({ filename }))
  )
)
