/** Builds the page and prints the size of each file as it is sent. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { bundle, destination } from "./Bundle.ts"

const sizeOf = (name: string): number => {
  const path = join(destination, name)
  return readFileSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).length
}

for (const name of await bundle()) console.log(`console: ${name} ${sizeOf(name)} bytes`)
