/**
 * The version of this package, from its own manifest.
 */
import { readFileSync } from "node:fs"

const manifest: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8")
)

/** For example `0.1.0`. */
export const { version } = manifest
