/**
 * The tables of variables in the page about configuration as a check: they say what the rows that
 * are parsed say. `--write` writes them.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { allParts } from "../packages/server/src/settings/Variables.ts"
import { withTables } from "./documents/SettingTables.ts"

const page = "docs/configuration.md"
const file = new URL(`../${page}`, import.meta.url)

const written = readFileSync(file, "utf8")
const current = withTables(written, allParts)

if (current !== written && process.argv.includes("--write")) writeFileSync(file, current)
else if (current !== written) {
  console.error(`${page}:1 settings: it is not what the rows say: npm run settings -- --write`)
  process.exitCode = 1
}
const count = allParts.reduce((sum, { variables }) => sum + variables.length, 0)
console.log(`settings: ${count} variables`)
