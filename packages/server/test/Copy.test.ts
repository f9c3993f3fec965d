/** Tests that a store can be moved to another database while jobs run. */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { chooseCases } from "@verbatim/testkit/laws"
import { assert, describe, it } from "vitest"
import { lostMillisVariable, redeliveryMillis } from "./faults/constants.ts"
import { openDatabase } from "./faults/Database.ts"
import { Dice } from "./faults/Dice.ts"
import { adopt, copy, judge, startLife, submit } from "./faults/movedStore.ts"
import { startReceiver } from "./faults/Receiver.ts"
import { settled } from "./faults/Run.ts"
import { operateInProcess } from "./operateInProcess.ts"
import { dataDirectory, operate } from "./ServerProcess.ts"

type Kind = Parameters<typeof openDatabase>[0]

const jobCount = 40

/** Minimum number of webhooks that wait for a response when their processes are killed. */
const heldMin = 4

/**
 * Shortens the wait after killed attempts. This is safe here, because all processes are killed
 * before new ones start.
 */
const settings = { [lostMillisVariable]: String(2 * redeliveryMillis) }

/** Kills processes while jobs run, moves their store, and lets other processes finish all jobs. */
const moves = async (fromKind: Kind, toKind: Kind) => {
  await using folder = await dataDirectory()
  using receiver = await startReceiver(new Dice(3))
  await using from = await openDatabase(fromKind, folder.path)
  await using to = await openDatabase(toKind, join(folder.path, "elsewhere"))
  const directory = folder.path
  const ends = ["--from", from.url, "--to", to.url]

  const before = async () => {
    await using life = await startLife({ directory, database: from, settings })
    await settled(life.way, await submit(life.way, receiver, jobCount / 2))
    const early = await operate(directory, ["copy", ...ends])
    assert.strictEqual(early.status, 1)
    assert.include(early.stderr, "is in use. Stop all processes first")
    receiver.hold()
    // Submits the first half of the jobs again with the same keys. The result is awaited here,
    // because the processes exit at the end of this block.
    const jobs = await submit(life.way, receiver, jobCount)
    while (receiver.held < heldMin) await sleep(20)
    return jobs
  }
  const jobs = await before()
  receiver.release()
  const counts = await from.counts()
  // No webhook of the second half has received a response yet.
  assert.deepStrictEqual(
    { jobs: counts.jobs, pending: counts.pending },
    { jobs: jobCount, pending: jobCount / 2 }
  )

  const done = await copy(directory, { from, to })
  assert.strictEqual(done.status, 0, done.stderr)
  assert.match(done.stdout, new RegExp(`^verbatim_jobs +${jobCount}$`, "m"))
  assert.deepStrictEqual(await to.counts(), counts)
  await adopt(directory, to)

  await using life = await startLife({ directory, database: to, settings })
  // The idempotency keys were copied too, so no duplicate jobs are created.
  assert.deepStrictEqual(await submit(life.way, receiver, jobCount), jobs)
  const report = await judge(life.way, { database: to, jobs, receiver })
  for (const [what, count] of Object.entries(report)) assert.strictEqual(count, 0, what)
}

const directions: ReadonlyArray<readonly [Kind, Kind]> = [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"]
]

describe("a store copied while jobs run", () => {
  for (const [from, to] of chooseCases(directions, 2)) {
    it(`completes every job exactly once, from ${from} to ${to}`, () => moves(from, to))
  }
})

describe("verbatim copy", () => {
  it("explains a failure in one sentence, and exits with 1, or 2 for incorrect usage", async () => {
    await using folder = await dataDirectory()
    const file = (name: string) => `sqlite:${join(folder.path, name)}`
    await operateInProcess(folder.path, ["workspaces", "create", "--name", "X"])
    const rows: ReadonlyArray<readonly [from: string, to: string, status: number, says: string]> = [
      ["mysql://me:hush@host/name", file("b"), 2, "--from: expected sqlite:<file> or postgres://"],
      [file("verbatim.db"), "nothing", 2, "--to: expected sqlite:<file> or postgres://"],
      ["memory:", file("b"), 2, "an in-memory store can be used only by its own server"],
      [file("verbatim.db"), "env:NOT_SET", 2, "--to: the variable NOT_SET is not set."],
      [file("absent.db"), file("b"), 1, "There is no Verbatim store in"],
      [file("verbatim.db"), file("verbatim.db"), 1, "are the same store"],
      [file("verbatim.db"), "postgres://me:hush@127.0.0.1:1/none", 1, "cannot be reached"]
    ]
    for (const [from, to, status, says] of rows) {
      const answer = await operateInProcess(folder.path, ["copy", "--from", from, "--to", to])
      assert.include(answer.stderr, says)
      assert.strictEqual(answer.status, status, says)
      assert.notMatch(answer.stdout + answer.stderr, /hush|\n\s+at /)
    }
    // Each exit status is tested once in a separate process.
    const alone = (from: string, to: string) =>
      operate(folder.path, ["copy", "--from", from, "--to", to])
    const misused = await alone("memory:", file("b"))
    assert.include(misused.stderr, "an in-memory store can be used only by")
    const isThere = await alone(file("absent.db"), file("b"))
    assert.include(isThere.stderr, "There is no Verbatim store in")
    assert.deepStrictEqual([misused.status, isThere.status], [2, 1])

    const named = { OLD: file("verbatim.db"), NEW: file("b") }
    const copied = await operate(
      folder.path,
      ["copy", "--from", "env:OLD", "--to", "env:NEW"],
      named
    )
    assert.strictEqual(copied.status, 0, copied.stderr)
    assert.match(copied.stdout, /^verbatim_workspaces +1$/m)
    const listed = await operateInProcess(folder.path, ["workspaces", "list"], {
      VERBATIM_DATABASE_URL: file("b")
    })
    assert.include(listed.stdout, "X")
    const again = await operateInProcess(
      folder.path,
      ["copy", "--from", "env:OLD", "--to", "env:NEW"],
      named
    )
    assert.include(again.stderr, "is not empty: it has rows in verbatim_workspaces")
    assert.strictEqual(again.status, 1)
  })
})
