/** Tests that a host that is killed keeps either all of its rows, jobs and presets, or none. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { ended, newFolder, openFor, recording } from "./Opened.ts"

const program = fileURLToPath(new URL("HostProgram.ts", import.meta.url))

/** Starts the host, waits until it has written its rows, and kills it. */
const killHost = async (end: "committed" | "open") => {
  const folder = newFolder()
  const [file, media] = [join(folder, "app.db"), join(folder, "media")]
  const words = ["--conditions=@verbatim/source", program, file, media, recording, end]
  const host = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => void host.kill("SIGKILL"))
  const [id] = await once(host.stdout, "data")
  host.kill("SIGKILL")
  await once(host, "exit")
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  const verbatim = await openFor({ database: `sqlite:${file}`, media })
  const articles = database.prepare("SELECT job FROM articles").all()
  return { articles, id: String(id).trim(), verbatim }
}

describe("a host that is killed", () => {
  it("leaves no trace of its open transaction", async () => {
    const { articles, verbatim } = await killHost("open")
    assert.lengthOf(articles, 0)
    assert.lengthOf((await verbatim.transcriptions.list()).data, 0)
    assert.strictEqual((await verbatim.presets.list()).total_count, 0)
  })

  it("keeps everything that it had committed, and the next process does the work", async () => {
    const { articles, id, verbatim } = await killHost("committed")
    assert.deepStrictEqual(
      articles.map(({ job }) => job),
      [id]
    )
    assert.strictEqual((await ended(verbatim, id)).status, "COMPLETED")
    assert.strictEqual((await verbatim.presets.list()).total_count, 1)
  })
})
