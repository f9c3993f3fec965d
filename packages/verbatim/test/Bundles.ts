/**
 * The programs that tests start, each as one file, made from the sources of this moment and gone
 * with the run: a start costs 0.2 s of a processor then, and 1.2 s as 900 modules. The bundler is
 * the one that Vitest brings along. The examples start the sources as they are.
 */
import { once } from "node:events"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { type Plugin, rolldown } from "rolldown"
import { newer } from "./faults/NewerVersion.ts"
import { bundlesVariable, programs } from "./Program.ts"

const cache = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url))

/** A module's own location stays true, so files beside it are found. */
const keepPlaces = {
  name: "keep-places",
  transform: {
    filter: { code: /\bimport\.meta\.url\b/ },
    handler: (code: string, id: string) =>
      code.replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(id).href))
  }
}

const bundle = async (
  input: Readonly<Record<string, string>>,
  plugins: ReadonlyArray<Plugin> = []
): Promise<string> => {
  await mkdir(cache, { recursive: true })
  const directory = await mkdtemp(join(cache, "programs-"))
  const bundle = await rolldown({
    input,
    platform: "node",
    resolve: { conditionNames: ["@verbatim/source", "node", "import"] },
    plugins: [...plugins, keepPlaces]
  })
  // Comments and long names, of all that is installed, are two thirds of it.
  const minify = { compress: false, mangle: true, codegen: { removeWhitespace: true } }
  await bundle.write({ dir: directory, entryFileNames: "[name].js", minify })
  await bundle.close()
  // Node would compile each file twice to find out what it is.
  await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module" }))
  return directory
}

/** The makers of bundles, by the path at the door. */
const makers: Readonly<Record<string, () => Promise<string>>> = {
  "/": () => bundle(programs),
  "/newer": () => bundle({ member: programs.member }, [newer])
}

/**
 * Called by Vitest before the first test; what it returns is called after the last. Programs are
 * made when the first file asks for them.
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
      // A program that is still ending may write what it compiled.
      if (directory !== undefined) {
        await rm(directory, { recursive: true, force: true, maxRetries: 5 })
      }
    }
  }
}
