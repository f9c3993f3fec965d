/** The host's own `onTranscribed` and `onFinished`: when they are called, and what if they fail. */
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { type Call, type Embedded, type Job, open, type Verbatim } from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { ended, measuring, newStore, openFor, recording } from "./Opened.ts"

/** A hook that notes its calls, and a promise of the first one. */
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

/** Looks until a job stands so. */
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

const isFinishTold = ({ notice_status }: Job): boolean => notice_status === "TOLD"

const isTranscriptTold = ({ transcript_notice_status }: Job): boolean =>
  transcript_notice_status === "TOLD"

/** What happened to the calls of a host, in their order. */
const noticesOf = async ({ transcriptions }: Embedded, id: string) =>
  (await transcriptions.history(id)).events.filter(({ about }) => about === "notice")

describe("the hooks of a host", () => {
  it("are called with the job of the API, after the transcript and at the end", async () => {
    const order: Array<string> = []
    const verbatim: Verbatim = await openFor({
      onTranscribed: async ({ id, summary_status }, { attempt, workspace }) => {
        const acme = verbatim.as({ workspace })
        const text = await acme.transcriptions.result(id, "plain_text")
        order.push(`transcribed ${attempt}: ${text.trim()}, summary ${summary_status}`)
      },
      summarize: async () => {
        order.push("summarize")
        return "a summary"
      },
      onFinished: async ({ callback_id, status, summary }, { workspace: { name } }) => {
        order.push(`finished: ${status}, ${summary}, ${callback_id} of ${name}`)
      }
    })
    const acme = verbatim.as({ workspace: "acme" })
    const wishes = { summary: "brief", callback_id: "7" } as const
    const job = await acme.transcriptions.create({ path: recording, ...wishes })
    const last = await until(acme, job.id, isFinishTold)
    assert.isTrue(isTranscriptTold(last))
    assert.deepStrictEqual(order, [
      "transcribed 1: 60900 ms, summary PENDING",
      "summarize",
      "finished: COMPLETED, a summary, 7 of acme"
    ])
  })

  it.each<[what: string, fail: () => Promise<void>]>([
    ["rejects", () => Promise.reject(new RangeError("the mail server is down"))],
    [
      "throws at once",
      () => {
        throw new RangeError("the mail server is down")
      }
    ]
  ])("are called three times when one %s, which holds up no summary", async (_, fail) => {
    const store = newStore()
    const { calls, hook } = noting(fail)
    const finished = noting()
    const summarize = async () => "a summary"
    const verbatim = await openFor({
      ...{ ...store, onTranscribed: hook, summarize, onFinished: finished.hook }
    })
    const { id } = await verbatim.transcriptions.create({ path: recording, summary: "brief" })
    assert.strictEqual((await ended(verbatim, id)).summary, "a summary")
    const database = new DatabaseSync(store.database.replace("sqlite:", ""))
    onTestFinished(() => database.close())
    for (const attempts of [1, 2]) {
      while ((await noticesOf(verbatim, id)).length < 2 * attempts) {
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      assert.lengthOf(finished.calls, 0)
      // The minute until the next attempt has passed.
      database.exec("UPDATE verbatim_work SET due_at = 0")
    }
    await finished.called
    const { transcript_notice_status } = await verbatim.transcriptions.details(id)
    assert.strictEqual(transcript_notice_status, "FAILED")
    assert.deepStrictEqual(
      calls.map(({ call }) => call.attempt),
      [1, 2, 3]
    )
    assert.strictEqual(new Set(calls.map(({ call }) => call.id)).size, 1)
    assert.include(JSON.stringify(await noticesOf(verbatim, id)), "The listener of the host failed")
  })

  it("are called for a job without a transcript at its end alone", async () => {
    const [transcribed, finished] = [noting(), noting()]
    const verbatim = await openFor({
      onTranscribed: transcribed.hook,
      onFinished: finished.hook
    })
    const noise = new File(["no recording"], "noise.mp3")
    const { id } = await verbatim.transcriptions.create({ file: noise })
    await finished.called
    assert.strictEqual(finished.calls[0]?.job.status, "FAILED")
    assert.isUndefined((await verbatim.transcriptions.details(id)).transcript_notice_status)
    assert.lengthOf(transcribed.calls, 0)
  })

  it("wait for a process that has them", async () => {
    const store = newStore()
    const [transcribed, finished] = [noting(), noting()]
    const hooks = { onTranscribed: transcribed.hook, onFinished: finished.hook }
    const web = await open({ ...store, roles: ["http"], ...hooks })
    const { id } = await web.transcriptions.create({ path: recording })
    const deaf = await open({ ...store, transcribe: measuring })
    await ended(deaf, id)
    await Promise.all([web.close(), deaf.close()])
    assert.isEmpty([...transcribed.calls, ...finished.calls])
    const hearing = await openFor({ ...store, ...hooks })
    await until(hearing, id, isFinishTold)
    assert.lengthOf(transcribed.calls, 1)
    assert.lengthOf(finished.calls, 1)
  })
})
