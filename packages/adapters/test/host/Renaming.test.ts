/** What is renamed in the text of a statement, and what is refused. */
import { assert, describe, it } from "@effect/vitest"
import { TableNames } from "@verbatim/adapters/sql"
import { Schema } from "effect"
import { renameIn } from "#src/sql/names/Renaming"

const prefixed = (text: string) => renameIn({ prefix: "vb_", schema: undefined }, text)

const within = (text: string) => renameIn({ prefix: "vb_", schema: "place" }, text)

const cases: ReadonlyArray<readonly [before: string, after: string]> = [
  ["SELECT jobs.id FROM jobs", "SELECT vb_jobs.id FROM vb_jobs"],
  ["SELECT COUNT(*) AS jobs FROM work", "SELECT COUNT(*) AS jobs FROM vb_work"],
  [`SELECT id AS "jobs.id" FROM "jobs"`, `SELECT id AS "jobs.id" FROM vb_jobs`],
  ["SELECT 'FROM jobs' FROM workers", "SELECT 'FROM jobs' FROM vb_workers"],
  ["SELECT 'it''s FROM jobs' -- FROM jobs", "SELECT 'it''s FROM jobs' -- FROM jobs"],
  ["/* FROM jobs */ SELECT $$FROM jobs$$, $1", "/* FROM jobs */ SELECT $$FROM jobs$$, $1"],
  ["SELECT one.jobs FROM new AS one", "SELECT one.jobs FROM new AS one"],
  ["LOCK TABLE jobs, work IN SHARE MODE", "LOCK TABLE vb_jobs, vb_work IN SHARE MODE"],
  ["CREATE INDEX a_by_b ON jobs (id)", "CREATE INDEX vb_a_by_b ON vb_jobs (id)"],
  [`CREATE INDEX CONCURRENTLY "a" ON work (id)`, `CREATE INDEX CONCURRENTLY vb_a ON vb_work (id)`],
  ["DROP INDEX IF EXISTS work_by_due", "DROP INDEX IF EXISTS vb_work_by_due"],
  ["CREATE TABLE IF NOT EXISTS jobs (a INT)", "CREATE TABLE IF NOT EXISTS vb_jobs (a INT)"],
  ["INSERT INTO ledger (id) VALUES (?)", "INSERT INTO vb_ledger (id) VALUES (?)"],
  ["SELECT * FROM x FOR UPDATE OF work", "SELECT * FROM x FOR UPDATE OF vb_work"]
]

describe("the text of a statement", () => {
  it.each(cases)("%s", (before, after) => {
    assert.strictEqual(prefixed(before), after)
  })

  it("names the schema before a table, and never before what refers to it", () => {
    assert.strictEqual(
      within("SELECT jobs.id FROM jobs JOIN work ON work.job_id = jobs.id"),
      `SELECT vb_jobs.id FROM "place".vb_jobs JOIN "place".vb_work ON vb_work.job_id = vb_jobs.id`
    )
    assert.strictEqual(
      within("CREATE INDEX a ON jobs (id)"),
      `CREATE INDEX vb_a ON "place".vb_jobs (id)`
    )
    assert.strictEqual(within("DROP INDEX a"), `DROP INDEX "place".vb_a`)
  })

  it.each([
    "SELECT work FROM new",
    "WITH work AS (SELECT 1) SELECT * FROM work",
    "SELECT id FROM new ORDER BY id, jobs",
    "CREATE TABLE invoices (id INT)",
    "CREATE TRIGGER t AFTER INSERT ON jobs",
    "SELECT extract(epoch FROM work)"
  ])("is refused where its place does not tell, or nothing would have the prefix: %s", (text) => {
    assert.throws(() => prefixed(text), "cannot be renamed")
  })

  it.prop(
    "is another name for each of our tables, and no two are one",
    [Schema.Int],
    ([number]) => {
      const prefix = `p${Math.abs(number)}_`.slice(0, TableNames.prefixLengthMax)
      const names = [...TableNames.tableNames]
      const after = names.map((name) => renameIn({ prefix, schema: undefined }, `FROM ${name}`))
      assert.deepStrictEqual(
        after,
        names.map((name) => `FROM ${prefix}${name}`)
      )
    }
  )

  it("is not renamed twice: no name of ours is another one behind a prefix", () => {
    const names = [...TableNames.tableNames]
    for (const name of names) {
      assert.isFalse(
        names.some((other) => other !== name && other.endsWith(`_${name}`)),
        name
      )
    }
  })
})

describe("a prefix", () => {
  it.each(["v_", "verbatim_", "a1", "x".repeat(TableNames.prefixLengthMax)])(
    "may be %s",
    (text) => {
      assert.strictEqual(TableNames.problemOf({ tablePrefix: text }), undefined)
    }
  )

  it.each(["1a", "_a", "A_", "a-b", "ä_", `a"`, "pg_a", "sqlite_a", "x".repeat(33)])(
    "may not be %s, which one sentence says",
    (text) => {
      assert.match(TableNames.problemOf({ tablePrefix: text }) ?? "", /^The prefix .*\.$/)
    }
  )

  it.each(["A", "pg_x", "a.b", "1", "", "x".repeat(64)])("and a schema not %s", (text) => {
    assert.match(TableNames.problemOf({ schema: text }) ?? "", /^The schema .*\.$/)
  })
})
