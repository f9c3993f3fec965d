/**
 * Uses the database of a test in another process: `node ChildWriter.ts <task> <file>`. The program
 * prints a line after each acknowledged write, so that a test that kills it knows which writes must
 * be there.
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
  /** Appends versions, sixteen at a time, until a test kills the program. */
  share: Effect.gen(function* () {
    const presets = yield* PresetStore
    const append = (number: number) =>
      Effect.flatMap(presets.append(makeDraft(number)), ({ version }) =>
        say(`${version.version} ${version.id}`)
      )
    yield* foundFirst
    yield* Effect.forEach(upTo(versionMax), append, { concurrency: 16, discard: true })
  }),
  /** Inserts jobs and commits changes to them, until a test kills the program. */
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
  /** Writes a row in a transaction, and waits there until a test kills the program. */
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
