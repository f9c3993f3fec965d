/**
 * The types of the client as a check: they are what the OpenAPI document says. `--write` writes
 * them.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { document } from "@verbatim/http/description"
import { writeTypes } from "../packages/client/test/description/Types.ts"

const path = "packages/client/src/Description.ts"
const root = new URL("../", import.meta.url)
const file = new URL(path, root)

const format = (text: string): string => {
  const command = fileURLToPath(new URL("node_modules/@biomejs/biome/bin/biome", root))
  const { error, status, stderr, stdout } = spawnSync(
    process.execPath,
    [command, "format", `--stdin-file-path=${path}`],
    { cwd: fileURLToPath(root), encoding: "utf8", input: text }
  )
  if (error !== undefined || status !== 0) throw new Error(stderr, { cause: error })
  return stdout
}

const written = existsSync(file) ? readFileSync(file, "utf8") : ""
const current = format(await writeTypes(document()))

if (current !== written && process.argv.includes("--write")) writeFileSync(file, current)
else if (current !== written) {
  console.error(`${path}:1 client: it is not what the document says: npm run client -- --write`)
  process.exitCode = 1
}
console.log(`client: ${current.split("\n").length - 1} lines of types`)
