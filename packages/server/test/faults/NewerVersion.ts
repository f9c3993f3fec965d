/**
 * Simulates the next version: this code with one more migration, and with a job format that the
 * current version cannot read. The next version is built when the programs are bundled.
 */
/** The number of the added migration. */
export const newerMigration = 1_000

/** The newer version stores jobs with a transcript in this format. */
export const newerFormat = 2

/** A migration that adds a column with an index. */
const later = `
import { Effect as Later } from "effect"
import { SqlClient as LaterClient } from "effect/sql"
import { index as laterIndex } from "./migration/Migration.ts"
const later: Migration = {
  id: ${newerMigration},
  name: "later",
  steps: [
    statements(Later.flatMap(LaterClient.SqlClient, (sql) =>
      sql\`ALTER TABLE verbatim_work ADD COLUMN later INTEGER\`)),
    laterIndex("work_by_later", (sql) => sql\`verbatim_work (later)\`)
  ]
}
`

interface Change {
  readonly file: string
  readonly before: string
  readonly after: string
}

const changes: ReadonlyArray<Change> = [
  {
    file: "sql/Migrations.ts",
    before: "[statements(makeSchema)] }\n]",
    after: `[statements(makeSchema)] }, later]`
  },
  {
    file: "sql/Migrations.ts",
    before: "const migrations: ReadonlyArray<Migration> = [",
    after: `${later}
      const migrations: ReadonlyArray<Migration> = [`
  },
  {
    file: "sql/job/JobRows.ts",
    before: `export const jobFormat = ${newerFormat - 1}`,
    after: `export const jobFormat = ${newerFormat}`
  },
  {
    file: "sql/job/JobRows.ts",
    before: "Readonly<Record<string, number>> = {}",
    after: `Readonly<Record<string, number>> = { TranscriptProduced: ${newerFormat} }`
  }
]

/** Applies the changes to a module. Fails if the code to change is missing. */
const applied = (code: string, { after, before, file }: Change): string => {
  if (!code.includes(before)) throw new Error(`${file} has changed: there is no \`${before}\``)
  return code.replace(before, after)
}

const changed = new Set<string>()

/** Changes the current modules to those of the newer version. */
export const newer = {
  name: "newer-version",
  transform: {
    filter: { id: /packages\/adapters\/src\/sql\// },
    handler: (code: string, id: string) => {
      const ofFile = changes.filter(({ file }) => id.endsWith(file))
      for (const { file } of ofFile) changed.add(file)
      return ofFile.reduce(applied, code)
    }
  },
  buildEnd: () => {
    const missing = changes.find(({ file }) => !changed.has(file))
    if (missing !== undefined) throw new Error(`there is no ${missing.file} any more`)
  }
}
