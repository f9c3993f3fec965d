/** Tests when the host's hooks are called, and what happens if they fail. */
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import {
  type Call,
  type Embedded,
  EngineUnavailable,
  type Job,
  type Outage,
  open,
  type Verbatim
} from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { ended, measuring, newStore, openFor, recording } from "./Opened.ts"

/** Creates a hook that records its calls, and a promise that resolves on the first call. */
const noting = (then: () => Promise<void> = async () => undefined) => {
  const calls: Array<{ job: Job; call: Call }> = []
  const { promise: called, resolve } = Promise.withResolvers<void>()
  const hook = (job: Job, call: Call): Promise<void> => {
    calls.push({ job, call })
    resolve()
    return then()
  }
  return { calls, called, hook }
}

/** Waits until a job meets a condition. */
const until = async (
  { transcriptions }: Embedded,
  id: string,
  holds: (job: Job) => boolean
): Promise<Job> => {
  for (;;) {
    const job = await transcriptions.details(id)
    if (holds(job)) return job
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const isNoticeCompleted = ({ notice_status }: Job): boolean => notice_status === "COMPLETED"

/** Returns the events about calls to the host, in order. */
const noticesOf = async ({ transcriptions }: Embedded, id: string) =>
  (await transcriptions.history(id)).events.filter(({ about }) => about === "notice")

describe("onFinished", () => {
  it("is called after everything else has ended, with the job as the API shows it", async () => {
    const order: Array<string> = []
    const verbatim: Verbatim = await openFor({
      summarize: async () => {
        order.push("summarize")
        return "a summary"
      },
      onFinished: async ({ callback_id, id, status, summary }, { attempt, workspace }) => {
        const acme = verbatim.as({ workspace })
        const text = await acme.transcriptions.result(id, "plain_text")
        order.push(`${attempt}: ${text.trim()}, ${status}, ${summary}`)
        order.push(`${callback_id} of ${workspace.name}`)
      }
    })
    const acme = verbatim.as({ workspace: "acme" })
    const wishes = { summary: "brief", callback_id: "7" } as const
    const job = await acme.transcriptions.create({ path: recording, ...wishes })
    await until(acme, job.id, isNoticeCompleted)
    assert.deepStrictEqual(order, ["summarize", "1: 60900 ms, COMPLETED, a summary", "7 of acme"])
  })

  it.each<[what: string, fail: () => Promise<void>]>([
    ["returns a rejected promise", () => Promise.reject(new RangeError("the mail server is down"))],
    [
      "throws synchronously",
      () => {
        throw new RangeError("the mail server is down")
      }
    ]
  ])("is called three times if each call %s", async (_, fail) => {
    const store = newStore()
    const { calls, hook } = noting(fail)
    const verbatim = await openFor({ ...store, onFinished: hook })
    const { id } = await verbatim.transcriptions.create({ path: recording })
    const database = new DatabaseSync(store.database.replace("sqlite:", ""))
    onTestFinished(() => database.close())
    for (const attempts of [1, 2]) {
      while ((await noticesOf(verbatim, id)).length < 2 * attempts) {
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      // Pretends that the minute before the next attempt is over.
      database.exec("UPDATE verbatim_work SET due_at = 0")
    }
    await until(verbatim, id, ({ notice_status }) => notice_status === "FAILED")
    assert.deepStrictEqual(
      calls.map(({ call }) => call.attempt),
      [1, 2, 3]
    )
    assert.strictEqual(new Set(calls.map(({ call }) => call.id)).size, 1)
    assert.include(JSON.stringify(await noticesOf(verbatim, id)), "The listener of the host failed")
  })

  it("is called later if no process had a hook when the job ended", async () => {
    const store = newStore()
    const { calls, hook } = noting()
    const web = await open({ ...store, roles: ["http"], onFinished: hook })
    const { id } = await web.transcriptions.create({ path: recording })
    const deaf = await open({ ...store, transcribe: measuring })
    await ended(deaf, id)
    await Promise.all([web.close(), deaf.close()])
    assert.isEmpty(calls)
    const hearing = await openFor({ ...store, onFinished: hook })
    await until(hearing, id, isNoticeCompleted)
    assert.lengthOf(calls, 1)
  })
})

describe("onOutages", () => {
  it.each([
    ["throws", () => Promise.reject(new Error("a fault of the host"))],
    ["never ends", () => Promise.withResolvers<void>().promise]
  ])("is called when a dependency fails and works again, even if a call %s", async (_, end) => {
    const calls: Array<ReadonlyArray<Outage>> = []
    const { promise: recovered, resolve } = Promise.withResolvers<void>()
    let isDown = true
    const verbatim = await openFor({
      transcribe: async () => {
        if (isDown) throw new EngineUnavailable("the engine is down")
        return { segments: [] }
      },
      onOutages: (outages) => {
        calls.push(outages)
        isDown = false
        if (outages.length === 0) resolve()
        return end()
      }
    })
    await verbatim.transcriptions.create({ path: recording })
    await recovered
    const cause = "EngineUnavailable: the engine is down"
    assert.deepStrictEqual(calls, [[{ name: "speech engine", cause }], []])
  })
})
