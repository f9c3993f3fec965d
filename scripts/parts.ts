/**
 * The picture of the layers in the page about embedding as a check: it is what their table says,
 * and the table is what their types say. `--write` redraws it.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { drawParts, parts, withParts } from "./documents/Parts.ts"

const page = new URL("../docs/embed.md", import.meta.url)

const text = readFileSync(page, "utf8")
const drawn = withParts(text, drawParts(parts))
if (drawn !== text) {
  if (drawn !== undefined && process.argv.includes("--write")) writeFileSync(page, drawn)
  else {
    console.error("docs/embed.md:1 parts: it is not what the table says: npm run parts -- --write")
    process.exitCode = 1
  }
}
console.log(`parts: ${Object.keys(parts).length} layers`)
