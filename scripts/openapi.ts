/**
 * Prints the server's API description, or writes it to a path. With `--since <commit>`, prints the
 * changes since that commit.
 */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { document } from "@verbatim/http/description"
import { changesBetween, documentAt } from "./documents/Openapi.ts"

const root = fileURLToPath(new URL("../", import.meta.url))
const written = `${JSON.stringify(document(), null, 2)}\n`

const [path, since = "HEAD"] = process.argv.slice(2)
if (path === "--since") {
  const changes = changesBetween(documentAt(root, since), JSON.parse(written))
  for (const change of changes) console.log(change)
  console.log(`openapi: ${changes.length} changes since ${since}`)
} else if (path === undefined) process.stdout.write(written)
else writeFileSync(path, written)
