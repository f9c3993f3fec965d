/** What a host plays of a job, and draws. */
import { readFile } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { InvalidInput, type JobMedia, NotFound, Refused } from "@verbatim/embed"
import { openFor, recording, rejection } from "./Opened.ts"

const bytesOf = async ({ content }: JobMedia) => {
  const pieces: Array<Uint8Array> = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** A job whose recognition waits until the test is over. */
const makeHeld = async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const verbatim = await openFor({
    transcribe: async () => {
      await promise
      return { language: "en", segments: [] }
    }
  })
  const { id } = await verbatim.transcribe({ media: recording })
  return { jobs: verbatim.jobs, id, resolve, wait: () => verbatim.wait({ id }) }
}

describe("jobs.media", () => {
  it("gives the recording, and stretches of it, until it is gone", async () => {
    const { id, jobs, resolve } = await makeHeld()
    const whole = await readFile(recording)
    const media = await jobs.media({ id })
    assert.strictEqual(media.contentType, "audio/mpeg")
    assert.strictEqual(media.filename, "harbour-minute.mp3")
    assert.strictEqual(media.byteLength, whole.length)
    assert.isTrue(whole.equals(await bytesOf(media)))
    const stretches = [
      { from: 10, to: 20 },
      { from: whole.length - 5 },
      { to: 3 },
      { from: whole.length },
      { from: 7, to: 7 },
      { from: 1, to: whole.length + 100 }
    ]
    for (const stretch of stretches) {
      const found = await bytesOf(await jobs.media({ id }, stretch))
      assert.isTrue(whole.subarray(stretch.from, stretch.to).equals(found))
    }
    const left = await jobs.media({ id })
    for await (const piece of left.content) {
      assert.isAbove(piece.length, 0)
      break
    }
    const unread = await jobs.media({ id })
    await jobs.remove({ id })
    assert.instanceOf(await rejection(jobs.media({ id })), NotFound)
    const late = await rejection(bytesOf(unread))
    assert.instanceOf(late, Refused)
    assert.strictEqual((late as Refused).code, "MediaExpired")
    resolve()
  })

  it("is refused once the job has ended, where nobody keeps it", async () => {
    const { id, jobs, resolve, wait } = await makeHeld()
    resolve()
    await wait()
    const late = await rejection(jobs.media({ id }))
    assert.instanceOf(late, Refused)
    assert.strictEqual((late as Refused).code, "MediaExpired")
  })

  it("refuses a stretch that is none", async () => {
    const { id, jobs, resolve, wait } = await makeHeld()
    for (const stretch of [{ from: -1 }, { from: 1.5 }, { from: 5, to: 4 }, { from: 1e9 }]) {
      assert.instanceOf(await rejection(jobs.media({ id }, stretch)), InvalidInput)
    }
    resolve()
    await wait()
  })
})

describe("jobs.peaks", () => {
  it("gives peaks of the whole recording, once there is a transcript", async () => {
    const { id, jobs, resolve, wait } = await makeHeld()
    assert.instanceOf(await rejection(jobs.peaks({ id })), NotFound)
    resolve()
    await wait()
    const { duration, interval, peaks } = await jobs.peaks({ id })
    assert.approximately(duration, 60.9, 0.1)
    assert.isAtMost(peaks.length, 2_000)
    assert.approximately((peaks.length / 2) * interval, duration, interval)
    assert.isAbove(Math.max(...peaks), 0)
  })

  it("does not find a job that is not there", async () => {
    const { jobs } = await openFor()
    const id = "018bcfe5-6800-7000-8000-000000000000"
    assert.instanceOf(await rejection(jobs.peaks({ id })), NotFound)
    assert.instanceOf(await rejection(jobs.media({ id })), NotFound)
  })
})
