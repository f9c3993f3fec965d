/** Faults in migrations beside a running fleet, and in what two versions do over one database. */
import { type Mutant, onPostgres, onSqlite, sql } from "./Mutant.ts"

/** The tests of that name on both databases. */
const onBoth = (name: string): ReadonlyArray<string> => [
  `packages/adapters/test/sqlite/Sqlite${name}.test.ts`,
  `packages/adapters/test/postgres/Postgres${name}.test.ts`
]

type Fault = Omit<Mutant, "tests">

/** Found by tests on real databases. */
const foundBy = (tests: ReadonlyArray<string>, faults: ReadonlyArray<Fault>) =>
  faults.map((fault): Mutant => ({ ...fault, tests }))

const migrations = foundBy(onBoth("Migrations"), [
  {
    fault: "a migration waits for a lock as long as it takes",
    file: onPostgres("MigrationTurn.ts"),
    text: 'const lockTimeout = "1s"',
    instead: 'const lockTimeout = "0"'
  },
  {
    fault: "a step that waited in vain is not tried again",
    file: sql("Migrator.ts"),
    text: "const lockTriesMax = 180",
    instead: "const lockTriesMax = 0"
  },
  {
    fault: "who waits for the turn waits inside a statement",
    file: onPostgres("MigrationTurn.ts"),
    text: `SELECT pg_try_advisory_lock(\${key}) AS mine`,
    instead: `SELECT pg_advisory_lock(\${key}) IS NOT NULL AS mine`
  },
  {
    fault: "the turn is not given back",
    file: onPostgres("MigrationTurn.ts"),
    text: `SELECT pg_advisory_unlock(\${key})`,
    instead: `SELECT \${key}`
  },
  {
    fault: "an index that a crash left unfinished is taken for one",
    file: onPostgres("MigrationTurn.ts"),
    text: "if (found?.valid === true) return",
    instead: "if (found !== undefined) return"
  },
  {
    fault: "steps are recorded with the last of them",
    file: sql("migration/MigrationRecords.ts"),
    text: "  const row = { migration_id: id,",
    instead: "  if (done < steps.length) return\n  const row = { migration_id: id,"
  },
  {
    fault: "a step is taken outside a transaction",
    file: onPostgres("MigrationTurn.ts"),
    text: "(Exit.isSuccess(exit) ? sql`COMMIT` : sql`ROLLBACK`)",
    instead: "Effect.as(sql`COMMIT`, exit)"
  },
  {
    fault: "a step is taken by all who saw that it was to do",
    file: sql("Migrator.ts"),
    text: "if (stepsOf(yield* Records.read(sql, schema), migration) !== number) return false",
    instead: ""
  },
  {
    fault: "batches end after the first",
    file: sql("Migrator.ts"),
    text: "{ while: (hasMore) => hasMore }",
    instead: "{ times: 0 }"
  },
  {
    fault: "a new database is brought up to date step by step",
    file: sql("migration/FirstSchema.ts"),
    text: "(wanted ? tried : Effect.succeed(false))",
    instead: "Effect.succeed(wanted && false)"
  },
  {
    fault: "a newer database is taken for one that is up to date",
    file: sql("Migrator.ts"),
    text: "if (needed > known)",
    instead: "if (needed > known + 10_000)"
  },
  {
    fault: "every newer database is refused",
    file: sql("Migrator.ts"),
    text: "const needed = Math.max(0, ...others.map(({ compatibleSince }) => compatibleSince))",
    instead: "const needed = Math.max(0, ...others.map(({ id }) => id))"
  }
])

const versions = foundBy(onBoth("NewerVersion"), [
  {
    fault: "a commit drops the fields that a newer version added",
    file: sql("job/NewerFields.ts"),
    text: "return more === undefined ? restored :",
    instead: "return more !== undefined ? restored :"
  },
  {
    fault: "only the fields of the job itself are kept, not those of its request",
    file: sql("job/NewerFields.ts"),
    text: "(value, field) => keepAll(value, whole[field])",
    instead: "(value) => value"
  },
  {
    fault: "a field that a newer version called __proto__ is lost",
    file: sql("job/NewerFields.ts"),
    text: "const fields = Object.fromEntries(more.map((field) => [field, whole[field]]))",
    instead: `const fields: Record<string, unknown> = {}
  for (const field of more) fields[field] = whole[field]`
  },
  {
    fault: "a job of a newer format is read",
    file: sql("job/JobReads.ts"),
    text: "if (row.format > jobFormat)",
    instead: "if (row.format > jobFormat + 1)"
  },
  {
    fault: "a job of a newer format is deleted",
    file: sql("job/JobReads.ts"),
    text: `sql\`workspace_id = \${workspaceId} AND format <= \${jobFormat}\``,
    instead: `sql\`workspace_id = \${workspaceId}\``
  },
  {
    fault: "a commit overwrites a job of a newer format on Postgres",
    file: onPostgres("CommitStatement.ts"),
    text: `AND format <= \${sql.literal(String(jobFormat))}`,
    instead: ""
  },
  {
    fault: "a commit overwrites a job of a newer format on SQLite",
    file: onSqlite("CommitSteps.ts"),
    text: ` AND format <= \${jobFormat}`,
    instead: ""
  },
  {
    fault: "a list is shorter by what it leaves out",
    file: sql("job/JobReads.ts"),
    text: "const looksMax = 10",
    instead: "const looksMax = 1"
  },
  {
    fault: "a preset in a status of a newer version takes versions",
    file: sql("preset/PresetAdvance.ts"),
    text: "presets.status IN ('Active', 'Disabled')",
    instead: "presets.status <> 'Archived'"
  }
])

export const schemaMutants: ReadonlyArray<Mutant> = [...migrations, ...versions]
