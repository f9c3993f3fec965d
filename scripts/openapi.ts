/** Prints the server's API description, or writes it to a path. */
import { writeFileSync } from "node:fs"
import { document } from "@verbatim/http/description"

const written = `${JSON.stringify(document(), null, 2)}\n`
const [path] = process.argv.slice(2)
if (path === undefined) process.stdout.write(written)
else writeFileSync(path, written)
