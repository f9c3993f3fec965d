/**
 * Tests backups that are taken while jobs run: first the media, then the database, and then newer
 * media (docs/operate.md). Each backup is restored after a total loss.
 */
import { existsSync } from "node:fs"
import { copyFile, cp, mkdir, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { chooseCases } from "@verbatim/testkit/laws"
import { assert, describe, it } from "vitest"
import { type Database, openDatabase } from "./faults/Database.ts"
import { Dice } from "./faults/Dice.ts"
import { adopt, type Home, judge, startLife, submit } from "./faults/movedStore.ts"
import { startReceiver } from "./faults/Receiver.ts"
import { dataDirectory, operate } from "./ServerProcess.ts"

const jobCount = 40

/** Only one transcription runs at a time, so that many jobs are waiting during the backup. */
const settings = { VERBATIM_TRANSCRIBE_CONCURRENCY: "1" }

const vanished = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT"

/** Reads a file. Returns the fallback if the file is missing because its job has ended. */
const unlessVanished = <A>(reading: Promise<A>, otherwise: A): Promise<A> =>
  reading.catch((error) => (vanished(error) ? otherwise : Promise.reject(error)))

/** Copies like `rsync -a --ignore-existing`: adds missing files and removes nothing. */
const addMedia = async (from: string, to: string) => {
  await mkdir(to, { recursive: true })
  for (const entry of await unlessVanished(readdir(from, { withFileTypes: true }), [])) {
    const [path, copied] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await addMedia(path, copied)
    else if (!existsSync(copied)) await unlessVanished(copyFile(path, copied), undefined)
  }
}

/** A store that is in use, and the folder for its backup. */
interface Source {
  readonly directory: string
  readonly database: Database
  readonly kept: string
}

/** Takes and restores backups in one particular way. */
interface Means {
  readonly take: (source: Source) => Promise<void>
  /** Restores a backup into an empty home. */
  readonly restore: (kept: string, home: Home) => Promise<void>
}

const mustRun = async (home: Home, ...args: ReadonlyArray<string>) => {
  const settings = { VERBATIM_DATABASE_URL: home.database.url }
  const { status, stderr, stdout } = await operate(home.directory, args, settings)
  assert.strictEqual(status, 0, stderr)
  return stdout
}

const mustRefuse = async (home: Home, kept: string, sentence: string) => {
  const settings = { VERBATIM_DATABASE_URL: home.database.url }
  const { status, stderr } = await operate(home.directory, ["restore", kept], settings)
  assert.strictEqual(status, 1)
  assert.include(stderr, sentence)
}

const byCommand: Means = {
  take: async ({ kept, ...home }) => {
    const { totals } = JSON.parse(await mustRun(home, "backup", kept, "--json"))
    assert.isAtLeast(Number(totals["rows of verbatim_jobs"]), jobCount)
  },
  restore: async (kept, home) => {
    const moved = join(kept, "moved")
    for (const part of ["media", "verbatim.db"].map((name) => join(kept, name))) {
      await rename(part, moved)
      await mustRefuse(home, kept, "Copy the backup again")
      await rm(part, { recursive: true, force: true })
      await rename(moved, part)
    }
    await mustRun(home, "restore", kept)
    await mustRefuse(home, kept, "There is already a store")
  }
}

const byHand: Means = {
  take: async ({ directory, kept }) => {
    await mkdir(kept)
    await addMedia(join(directory, "media"), join(kept, "media"))
    using database = new DatabaseSync(join(directory, "verbatim.db"), { timeout: 5_000 })
    database.prepare("VACUUM INTO ?").run(join(kept, "verbatim.db"))
    await addMedia(join(directory, "media"), join(kept, "media"))
  },
  restore: async (kept, { database, directory }) => {
    await cp(kept, directory, { recursive: true })
    await adopt(directory, database)
  }
}

/** Lists the media keys of unfinished jobs that have no file in the folder. */
const missingMedia = (filename: string, media: string) => {
  using file = new DatabaseSync(filename)
  const rows = file
    .prepare("SELECT state FROM verbatim_jobs WHERE is_transcription_ended = 0")
    .all()
  const keys = rows.map(({ state }) => /[0-9a-f-]{36}\/\d+\.wav/.exec(String(state))?.[0] ?? "none")
  return { unfinished: keys.length, missing: keys.filter((key) => !existsSync(join(media, key))) }
}

interface Case {
  readonly kind: "postgres" | "sqlite"
  readonly means: Means
}

/** Restores a backup after a total loss, and waits until its jobs end. */
const restores = async ({ kind, means }: Case) => {
  await using folder = await dataDirectory()
  const [old, kept, home] = ["old", "kept", "new"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string
  ]
  using receiver = await startReceiver(new Dice(5))
  await using database = await openDatabase(kind, old)

  const jobs = await (async () => {
    await using life = await startLife({ directory: old, database, settings })
    const accepted = await submit(life.way, receiver, jobCount)
    await means.take({ directory: old, database, kept })
    // Some jobs that end during the backup are unfinished in the backup, so their webhooks arrive
    // again.
    const before = receiver.arrived.length
    while (receiver.arrived.length < before + 3) await sleep(20)
    return accepted
  })()
  await rm(old, { recursive: true })
  const { missing, unfinished } = missingMedia(join(kept, "verbatim.db"), join(kept, "media"))
  assert.isAbove(unfinished, 0, "no job was unfinished")
  assert.deepStrictEqual(missing, [])

  await using restored = await openDatabase(kind, home)
  await means.restore(kept, { directory: home, database: restored })
  const lost = receiver.arrived.length
  await using life = await startLife({ directory: home, database: restored })
  const everything = { database: restored, jobs }
  const after = {
    get arrived() {
      return receiver.arrived.slice(lost)
    }
  }
  const report = await judge(life.way, { ...everything, receiver: after })
  const both = await judge(life.way, { ...everything, receiver })
  const ids = Map.groupBy(receiver.arrived, ({ callbackId }) => callbackId)
  for (const [job, all] of ids) {
    assert.lengthOf(new Set(all.map(({ webhookId }) => webhookId)), 1, job)
  }
  // If a job is delivered in the backup, its webhook had arrived before the backup was taken.
  const unseen = "delivered, but not received"
  for (const [what, count] of Object.entries({ ...report, [unseen]: both[unseen] })) {
    assert.strictEqual(count, 0, what)
  }
}

const cases: ReadonlyArray<Case & { readonly title: string }> = [
  { title: "SQLite with `verbatim backup`", kind: "sqlite", means: byCommand },
  { title: "Postgres with `verbatim backup`", kind: "postgres", means: byCommand },
  { title: "SQLite with VACUUM INTO", kind: "sqlite", means: byHand }
]

describe("a backup that is taken while jobs run", () => {
  for (const { title, ...way } of chooseCases(cases, 3)) {
    it(`contains every job, and after a restore each job ends once: ${title}`, () => restores(way))
  }
})
