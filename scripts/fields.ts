/**
 * The page about the fields of a preset as a check: it says what the tables of core say. `--write`
 * writes it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { formats } from "../packages/core/src/domain/request/RequestFormat.ts"
import { fieldTables } from "./documents/FieldTables.ts"

const page = "docs/preset-fields.md"
const file = new URL(`../${page}`, import.meta.url)

const written = existsSync(file) ? readFileSync(file, "utf8") : ""
const current = fieldTables(formats)

if (current !== written && process.argv.includes("--write")) writeFileSync(file, current)
else if (current !== written) {
  console.error(`${page}:1 fields: it is not what the tables say: npm run fields -- --write`)
  process.exitCode = 1
}
console.log(`fields: ${formats.length} formats`)
