/**
 * The tables of metrics in the page about them as a check: they say what the tables of the packages
 * say. `--write` writes them.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { sqlTable } from "@verbatim/adapters/sql"
import { coreTable } from "@verbatim/core/metrics"
import { httpTable } from "@verbatim/http"
import { withMetrics } from "./documents/MetricTables.ts"

const page = "docs/metrics.md"
const file = new URL(`../${page}`, import.meta.url)

const tables = { core: coreTable, http: httpTable, sql: sqlTable }

const written = readFileSync(file, "utf8")
const current = withMetrics(written, tables)

if (current !== written && process.argv.includes("--write")) writeFileSync(file, current)
else if (current !== written) {
  console.error(`${page}:1 metrics: it is not what the tables say: npm run metrics -- --write`)
  process.exitCode = 1
}
const count = Object.values(tables).reduce((sum, table) => sum + Object.keys(table).length, 0)
console.log(`metrics: ${count} metrics`)
