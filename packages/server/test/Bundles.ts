/**
 * Bundles the programs that tests start. The server is bundled as in its package, but from the
 * current sources. Bundles are removed after the tests. Examples run directly from their sources.
 */
import { once } from "node:events"
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
// biome-ignore lint/style/noRestrictedImports: the build is not a package.
import { writeServer } from "../../../scripts/bundle.ts"
import { newer } from "./faults/NewerVersion.ts"
import { bundlesVariable, programs } from "./Program.ts"

const cache = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url))
const manifest = fileURLToPath(new URL("../package.json", import.meta.url))

type Plugins = NonNullable<Parameters<typeof writeServer>[1]>["plugins"]

const bundle = async (plugins: Plugins = []): Promise<string> => {
  await mkdir(cache, { recursive: true })
  const directory = await mkdtemp(join(cache, "programs-"))
  await writeServer(directory, { input: { member: programs.member }, plugins })
  await copyFile(manifest, join(directory, "package.json"))
  return directory
}

/** The functions that build bundles, keyed by path. */
const makers: Readonly<Record<string, () => Promise<string>>> = {
  "/": () => bundle(),
  "/newer": () => bundle([newer])
}

/**
 * Vitest calls this function before the first test, and the function that it returns after the
 * last. Bundles are built when the first test file requests them.
 */
export const setup = async () => {
  const made = new Map<string, Promise<string>>()
  const door = createServer(({ url = "/" }, response) => {
    const making = made.get(url) ?? makers[url]?.() ?? Promise.reject(new Error(`no ${url}`))
    made.set(url, making)
    making.then(
      (directory) => response.end(directory),
      (cause: unknown) => response.writeHead(500).end(String(cause))
    )
  })
  door.listen(0, "127.0.0.1")
  await once(door, "listening")
  process.env[bundlesVariable] = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  return async () => {
    door.close()
    for (const making of made.values()) {
      const directory = await making.catch(() => undefined)
      // Removal is retried, because a program that is still exiting could write to its compile
      // cache.
      if (directory !== undefined) {
        await rm(directory, { recursive: true, force: true, maxRetries: 5 })
      }
    }
  }
}
