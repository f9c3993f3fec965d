/**
 * Prints the SQL of migrations without running it, for review before a deployment. Reads return no
 * rows, and a batch appears once.
 */
import { Effect, Stream } from "effect"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { compilerFor } from "../session/Compiler.ts"
import { type Migration, SchemaStatements, type Step } from "./Migration.ts"
import { migrationName } from "./MigrationError.ts"

type Sql = SqlClient.SqlClient

/** Values such as random names and instants are chosen when the migration runs. */
const toLine = (text: string, params: ReadonlyArray<unknown>): string => {
  const note = params.length === 0 ? "" : " -- values are chosen when the migration runs"
  return `${text.trim()};${note}`
}

/** Makes a client that records statements instead of running them. */
const makeRecorder = (sql: Sql, lines: Array<string>): Sql => {
  const note = (text: string, params: ReadonlyArray<unknown>) =>
    Effect.sync((): ReadonlyArray<never> => {
      lines.push(toLine(text, params))
      return []
    })
  const connection: SqlConnection.Connection = {
    execute: note,
    executeRaw: note,
    executeStream: (text, params) => Stream.fromIterableEffect(note(text, params)),
    executeUnprepared: note,
    executeValues: note,
    executeValuesUnprepared: note
  }
  const constructor = Statement.make(Effect.succeed(connection), compilerFor(sql), [], undefined)
  const recorder: Sql = Object.assign(constructor, { ...sql, ...constructor })
  return Object.assign(recorder, { safe: recorder, withoutTransforms: () => recorder })
}

const printStep = (recorder: Sql, step: Step) => {
  switch (step._tag) {
    case "Batches":
    case "Statements":
      return step.run
    case "Index":
      return recorder`CREATE INDEX ${recorder(step.name)} ON ${step.on(recorder)}`
  }
}

/** Returns the SQL of these migrations, one statement per element. */
export const printSteps = Effect.fnUntraced(function* (
  { schema, sql }: { readonly sql: Sql; readonly schema: SchemaStatements["Service"] },
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<ReadonlyArray<string>, SqlError.SqlError> {
  const lines: Array<string> = []
  const recorder = makeRecorder(sql, lines)
  for (const migration of migrations) {
    lines.push(`-- migration ${migrationName(migration)}`)
    for (const step of migration.steps) {
      yield* printStep(recorder, step).pipe(
        Effect.provideService(SqlClient.SqlClient, recorder),
        Effect.provideService(SchemaStatements, schema)
      )
    }
  }
  return lines
})
