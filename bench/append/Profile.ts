/** Where processes spent their busy time, by part of the program. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

const partOf = ({ functionName, url }: { functionName: string; url: string }): string => {
  if (functionName === "(garbage collector)") return "garbage collection"
  // Of the start, not of a request.
  if (/^node:internal\/(modules|deps\/(cjs|amaro))/.test(url)) return "loading of modules"
  if (functionName === "writeBuffer" || functionName === "writev") return "writing to sockets"
  const [, module] =
    /node_modules\/((?:@[^/]+\/)?[^/]+(?:\/dist\/(?:sql|http|schema)\b)?)/.exec(url) ?? []
  if (module !== undefined) return module.replace("/dist/", "/")
  const [, own] = /packages\/([^/]+)\/src/.exec(url) ?? []
  if (own !== undefined) return `@verbatim/${own}`
  return url.startsWith("node:") || url === "" ? "node" : "other"
}

/** The parts of all profiles in a folder, the largest first. */
export const shares = async (directory: string): Promise<ReadonlyArray<[string, number]>> => {
  const parts = new Map<string, number>()
  let total = 0
  const names = (await readdir(directory)).filter((name) => name.endsWith(".cpuprofile"))
  for (const name of names) {
    const { nodes, samples, timeDeltas }: Profile = JSON.parse(
      await readFile(join(directory, name), "utf8")
    )
    const frames = new Map(nodes.map(({ callFrame, id }) => [id, callFrame]))
    for (const [index, sample] of samples.entries()) {
      const frame = frames.get(sample)
      const micros = timeDeltas[index] ?? 0
      if (frame === undefined || frame.functionName === "(idle)") continue
      const part = partOf(frame)
      parts.set(part, (parts.get(part) ?? 0) + micros)
      total += micros
    }
  }
  return [...parts]
    .map(([part, micros]): [string, number] => [part, micros / total])
    .filter(([, share]) => share >= 0.01)
    .sort(([, a], [, b]) => b - a)
}
