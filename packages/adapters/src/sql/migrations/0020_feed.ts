/** Every commit of a job has a place among all commits, so that others can read on from there. */
import { Effect, Random } from "effect"
import { SqlClient } from "effect/sql"
import { index, type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

const makeHalf = Effect.map(Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER), (number) =>
  number.toString(36)
)

/** Listeners see places encrypted with it: there are 2^106 values, too many to try. */
const makeMark = Effect.map(Effect.all([makeHalf, makeHalf]), (halves) => halves.join(""))

/** Commits from before have no place: nobody could have been told of one. */
const addOrdinals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { countCommits, types } = yield* SchemaStatements
  const { int, strict } = types(sql)
  yield* sql`
    CREATE TABLE verbatim_job_feed (
      id ${int} NOT NULL PRIMARY KEY CHECK (id = 1),
      mark TEXT NOT NULL,
      ordinal ${int} NOT NULL
    ) ${strict}`
  yield* sql`INSERT INTO verbatim_job_feed (id, mark, ordinal) VALUES (1, ${yield* makeMark}, 0)`
  yield* sql`ALTER TABLE verbatim_job_history ADD COLUMN ordinal ${int}`
  yield* countCommits(sql)
})

/**
 * Adds a column, a table of one row, and an index. Where the database numbers its transactions, the
 * commits of an older program have places too; in a file they have none, and no feed tells them.
 */
export const steps: ReadonlyArray<Step> = [
  statements(addOrdinals),
  index(
    "verbatim_job_history_by_ordinal",
    (sql) => sql`verbatim_job_history (ordinal, job_id, revision) WHERE ordinal IS NOT NULL`
  )
]
