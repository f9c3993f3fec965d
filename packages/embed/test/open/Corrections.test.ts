/** What a host corrects, and what it reads then. */
import { assert, describe, it } from "@effect/vitest"
import { NotFound, Refused } from "@verbatim/embed"
import { openFor, recording, rejection } from "./Opened.ts"

describe("jobs.corrections", () => {
  it("names speakers, corrects segments and goes back, each as a version", async () => {
    const verbatim = await openFor()
    const { corrections } = verbatim.jobs
    const { id } = await verbatim.transcribe({ media: recording })
    await verbatim.wait({ id })
    const read = async () => {
      const result = await verbatim.wait({ id })
      assert(result.state === "completed" && result.transcript !== null)
      return result.transcript.segments.map(({ speaker, text }) => [speaker, text])
    }
    const [[speaker, text] = []] = await read()
    assert(speaker !== undefined)

    const named = await corrections.nameSpeakers({ id }, { [speaker]: "Ana" })
    assert.strictEqual(named.version, 1)
    await corrections.correctSegments({ id, ifVersion: 1 }, [{ index: 0, text: "A minute." }])
    assert.deepStrictEqual(await read(), [["Ana", "A minute."]])

    const late = corrections.correctSegments({ id, ifVersion: 1 }, [{ index: 0, text: "Late." }])
    assert.instanceOf(await rejection(late), Refused)

    assert.strictEqual((await corrections.goBack({ id }, 0)).version, 3)
    assert.deepStrictEqual(await read(), [[speaker, text]])
    assert.strictEqual((await corrections.get({ id })).versions.length, 3)
    const { segments } = await corrections.version({ id }, 2)
    assert.deepStrictEqual(
      segments.map(({ index, text }) => [index, text]),
      [[0, "A minute."]]
    )
  })

  it("does not find a job that is not there", async () => {
    const { jobs } = await openFor()
    const id = "018bcfe5-6800-7000-8000-000000000000"
    const fault = await rejection(jobs.corrections.nameSpeakers({ id }, { speaker_0: "Ana" }))
    assert.instanceOf(fault, NotFound)
  })
})
