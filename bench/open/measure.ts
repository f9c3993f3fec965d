/**
 * Measures how long a host waits for `open`, for a new and an existing database of each kind. Each
 * `open` runs in a separate process, and uses the output of `npm run build`.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { launch } from "@verbatim/testkit/servers"
import { makeDatabase } from "../jobs/Databases.ts"
import { median } from "../Rounds.ts"
import type { Opening } from "./Child.ts"

const child = new URL("Child.ts", import.meta.url)

const openIn = async (database: string, folder: string): Promise<Opening> => {
  const running = fork(child, [database, join(folder, "media")])
  const exited = once(running, "exit")
  const [opening] = await once(running, "message")
  await exited
  return opening
}

/** Prints the medians of the given number of rounds. */
export const measureOpen = async ({
  roundCount
}: {
  readonly roundCount: number
}): Promise<void> => {
  const server = await launch({ isDurable: true })
  const found = new Map<string, Array<Opening>>()
  const measure = async (title: string, database: string, folder: string) => {
    const opening = await openIn(database, folder)
    found.set(title, [...(found.get(title) ?? []), opening])
  }
  try {
    for (let round = 0; round < roundCount; round += 1) {
      const folder = mkdtempSync(join(tmpdir(), "verbatim-open-"))
      const file = `sqlite:${join(folder, "app.db")}`
      const url = await makeDatabase(server.url, { name: `open_${round}`, side: "ours" })
      await measure("memory", "memory:", join(folder, "memory"))
      await measure("SQLite, new", file, join(folder, "sqlite"))
      await measure("SQLite, existing", file, join(folder, "sqlite"))
      await measure("Postgres, new", url, join(folder, "postgres"))
      await measure("Postgres, existing", url, join(folder, "postgres"))
      rmSync(folder, { recursive: true, force: true })
    }
  } finally {
    await server.remove()
  }
  for (const [title, openings] of found) {
    const of = (key: keyof Opening) =>
      `${median(openings.map((opening) => opening[key])).toFixed(0)} ms`.padStart(8)
    console.log(
      `${title.padEnd(20)} open ${of("opened")}  import ${of("imported")}  processor ${of("cpu")}`
    )
  }
}
