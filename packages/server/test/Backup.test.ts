/**
 * Tests backups that are taken while jobs run: first the media, then the database, and then newer
 * media (docs/operate.md).
 */
import { existsSync } from "node:fs"
import { copyFile, mkdir, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { chooseCases } from "@verbatim/testkit/laws"
import { assert, describe, it } from "vitest"
import { type Database, openDatabase } from "./faults/Database.ts"
import { Dice } from "./faults/Dice.ts"
import { adopt, copy, judge, startLife, submit } from "./faults/movedStore.ts"
import { startReceiver } from "./faults/Receiver.ts"
import { dataDirectory } from "./ServerProcess.ts"

const jobCount = 40

/** Only one transcription runs at a time, so that many jobs are waiting during the backup. */
const settings = { VERBATIM_TRANSCRIBE_CONCURRENCY: "1" }

const vanished = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT"

/** Returns a fallback value if a file has vanished because the file's job has ended. */
const unlessVanished = <A>(asked: Promise<A>, otherwise: A): Promise<A> =>
  asked.catch((error) => (vanished(error) ? otherwise : Promise.reject(error)))

/** Works like `rsync -a --ignore-existing`: adds missing files and removes nothing. */
const addMedia = async (from: string, to: string) => {
  await mkdir(to, { recursive: true })
  for (const entry of await unlessVanished(readdir(from, { withFileTypes: true }), [])) {
    const [path, copied] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await addMedia(path, copied)
    else if (!existsSync(copied)) await unlessVanished(copyFile(path, copied), undefined)
  }
}

/** Copies a database into a new file. */
type Means = (
  directory: string,
  ends: { readonly from: Database; readonly to: Database }
) => unknown

const bySnapshot: Means = async (directory, ends) => {
  const done = await copy(directory, { ...ends, options: ["--snapshot"] })
  assert.strictEqual(done.status, 0, done.stderr)
}

const byVacuum: Means = (directory, { to }) => {
  using database = new DatabaseSync(join(directory, "verbatim.db"), { timeout: 5_000 })
  database.prepare("VACUUM INTO ?").run(fileOf(to))
}

const fileOf = ({ url }: Database): string => url.slice("sqlite:".length)

/** Lists the media keys of unfinished jobs that have no content in a folder. */
const missingMedia = (database: Database, media: string) => {
  using file = new DatabaseSync(fileOf(database))
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

/** Restores a backup after a total loss, and waits until the jobs in it end. */
const restores = async ({ kind, means }: Case) => {
  await using folder = await dataDirectory()
  const [old, kept] = [join(folder.path, "old"), join(folder.path, "kept")]
  using receiver = await startReceiver(new Dice(5))
  await using from = await openDatabase(kind, old)
  await using backup = await openDatabase("sqlite", kept)
  await mkdir(kept)

  const jobs = await (async () => {
    await using life = await startLife({ directory: old, database: from, settings })
    const accepted = await submit(life.way, receiver, jobCount)
    await addMedia(join(old, "media"), join(kept, "media"))
    await means(old, { from, to: backup })
    await addMedia(join(old, "media"), join(kept, "media"))
    // Some jobs that are ending now are unfinished in the backup, so their webhooks arrive again.
    const before = receiver.arrived.length
    while (receiver.arrived.length < before + 3) await sleep(20)
    return accepted
  })()
  await rm(old, { recursive: true })
  const { missing, unfinished } = missingMedia(backup, join(kept, "media"))
  assert.isAbove(unfinished, 0, "nothing was under way")
  assert.deepStrictEqual(missing, [])

  await using restored = await openDatabase(kind, kept)
  if (kind === "postgres") {
    const done = await copy(kept, { from: backup, to: restored })
    assert.strictEqual(done.status, 0, done.stderr)
  }
  await adopt(kept, restored)
  const lost = receiver.arrived.length
  await using life = await startLife({ directory: kept, database: restored })
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
  // Deliveries that the backup contains arrived before the backup was taken.
  const unseen = "delivered, but not received"
  for (const [what, count] of Object.entries({ ...report, [unseen]: both[unseen] })) {
    assert.strictEqual(count, 0, what)
  }
}

const cases: ReadonlyArray<Case & { readonly title: string }> = [
  { title: "SQLite with `verbatim copy --snapshot`", kind: "sqlite", means: bySnapshot },
  { title: "Postgres with `verbatim copy --snapshot`", kind: "postgres", means: bySnapshot },
  { title: "SQLite with VACUUM INTO", kind: "sqlite", means: byVacuum }
]

describe("a backup that is taken while jobs run", () => {
  for (const { title, ...way } of chooseCases(cases, 3)) {
    it(`loses no job, and ends each job once: ${title}`, () => restores(way))
  }
})
