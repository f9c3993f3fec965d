/**
 * The picture of the folders of core as a check: it stands in the architecture page, and is what
 * the imports say. `--write` redraws it.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { pictureOf, withPicture } from "./documents/Layers.ts"

const source = new URL("../packages/core/src/", import.meta.url)
const page = new URL("../docs/architecture.md", import.meta.url)

const files = globSync("**/*.ts", { cwd: source })
  .map((path) => path.replaceAll("\\", "/"))
  .sort()
  .map((path) => ({ path, text: readFileSync(new URL(path, source), "utf8") }))

const text = readFileSync(page, "utf8")
const drawn = withPicture(text, pictureOf(files))
if (drawn !== text) {
  if (drawn !== undefined && process.argv.includes("--write")) writeFileSync(page, drawn)
  else {
    console.error(
      "docs/architecture.md:1 layers: it is not what the imports say: npm run layers -- --write"
    )
    process.exitCode = 1
  }
}
console.log(`layers: ${files.length} files of core`)
