/**
 * The packages as a check: each is packed as npm would publish it, and looked at by publint, by
 * Are The Types Wrong, and by the rules of the house. Two at a time. `--write` copies the licence.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { Judgement } from "./packages/Judge.ts"
import { folders, readManifest, root } from "./packages/Packing.ts"
import { disagreements } from "./packages/Shipping.ts"

/** Threads: a small machine has as many cores. */
const judgeMax = 2

const tell = (folder: string, finding: string): void => {
  console.error(`packages/${folder}/package.json:1 packages: ${finding}`)
  process.exitCode = 1
}

/** A thread that takes one folder after another until none is left. */
const run = (waiting: Array<string>, destination: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const judge = new Worker(new URL("./packages/Judge.ts", import.meta.url), {
      workerData: destination
    })
    const next = () => {
      const folder = waiting.shift()
      if (folder === undefined) void judge.terminate().then(() => resolve())
      else judge.postMessage(folder)
    }
    judge.on("error", reject)
    judge.on("message", ({ findings, folder }: Judgement) => {
      for (const finding of findings) tell(folder, finding)
      next()
    })
    next()
  })

if (process.argv.includes("--write")) {
  for (const folder of folders)
    copyFileSync(join(root, "LICENSE"), join(root, "packages", folder, "LICENSE"))
}
for (const finding of disagreements(folders.map(readManifest))) tell("*", finding)
const destination = mkdtempSync(join(tmpdir(), "verbatim-packages-"))
const waiting = [...folders]
try {
  await Promise.all(Array.from({ length: judgeMax }, () => run(waiting, destination)))
} finally {
  rmSync(destination, { recursive: true, force: true })
}
console.log(`packages: ${folders.length} packed`)
