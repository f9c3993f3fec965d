/** Builds the page, and prints the total compressed size of its files. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { bundle, destination } from "./Bundle.ts"

const sizeOf = (name: string): number => {
  const path = join(destination, name)
  return readFileSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).length
}

const names = await bundle()
const total = names.reduce((sum, name) => sum + sizeOf(name), 0)
console.log(`console: ${names.length} files, ${total} bytes`)
