/** Renderings that nobody reads: a workspace holds two of them, and keeps nobody else waiting. */
import { type IncomingMessage, request } from "node:http"
import { assert, layer } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import { ApiKeys } from "@verbatim/core/services"
import {
  attemptStarted,
  commitOf,
  creation,
  instant,
  jobId,
  largeTranscript,
  makeUploadJob,
  transcriptProduced,
  upTo
} from "@verbatim/testkit/samples"
import { Duration, Effect, Redacted } from "effect"
import * as Deployment from "./Deployment.ts"
import { mebibyte } from "./Sockets.ts"

const key = Deployment.keys.inference

/** More than sockets take unread. */
const byteLength = 24 * mebibyte

const twoHours = 7_200_000

const path = `/v1/status/${jobId(1)}/plain_text`

const transcribed = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const jobs = yield* JobStore
  const { workspaceId } = yield* keys.authenticate(Redacted.make(key))
  const job = makeUploadJob(1, { workspaceId })
  yield* jobs.insert(creation(job))
  const running = commitOf(job, { events: [attemptStarted()] })
  yield* jobs.commit(running)
  const events = [transcriptProduced(instant, twoHours)]
  yield* jobs.commit(commitOf(running.next, { events, transcript: largeTranscript(byteLength) }))
})

/** Asks on a connection of its own, and reads nothing of what is answered. */
const ask = (port: number, answered: Array<IncomingMessage>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const headers = { authorization: `Bearer ${key}`, connection: "close" }
      const sent = request({ host: "127.0.0.1", port, path, headers, agent: false })
      sent.on("response", (answer) => answered.push(answer.on("error", () => undefined)))
      return sent.on("error", () => undefined).end()
    }),
    (sent) => Effect.sync(() => sent.destroy())
  )

const until = (condition: () => boolean) =>
  Effect.repeat(Effect.sleep("5 millis"), { until: condition })

/** Two readers that read nothing hold the slots of their workspace. */
const takeSlots = Effect.gen(function* () {
  const { port } = yield* Deployment.Deployment
  yield* transcribed
  const answered: Array<IncomingMessage> = []
  for (const _ of upTo(2)) yield* ask(port, answered)
  yield* until(() => answered.length === 2)
  return answered
})

layer(Deployment.layer(), { excludeTestServices: true })("renderings nobody reads", (it) => {
  it.effect("are two for a workspace, and the next one is made when one of them is read", () =>
    Effect.gen(function* () {
      const { call, port } = yield* Deployment.Deployment
      const answered = yield* takeSlots
      const third = yield* ask(port, answered)
      // What is asked meanwhile is answered, also about the same job.
      for (const _ of upTo(20)) {
        const { status } = yield* call("/v1/transcriptions", { key })
        assert.strictEqual(status, 200)
      }
      assert.lengthOf(answered, 2)
      const [first, second] = answered
      first?.resume()
      yield* until(() => answered.length === 3)
      // Whoever goes away gives his place back, too.
      second?.destroy()
      third.destroy()
      for (const _ of upTo(2)) {
        const { status, text } = yield* call(path, { key })
        assert.strictEqual(status, 200)
        assert.isAbove(text.length, mebibyte)
      }
    }).pipe(Effect.scoped)
  )
})

const patience = Duration.millis(100)

layer(Deployment.layer({ patience }), { excludeTestServices: true })("a reader in vain", (it) => {
  it.effect("is told to come back, and finds a place when it does", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const answered = yield* takeSlots
      const { headers, status, text } = yield* call(path, { key })
      assert.deepStrictEqual(
        [status, headers.get("retry-after"), headers.get("content-type"), JSON.parse(text)],
        [429, "1", "application/json", { detail: "Too many requests at the same time" }]
      )
      // What needs no place has its answer, and whoever gives one back makes room.
      assert.strictEqual((yield* call("/v1/transcriptions", { key })).status, 200)
      const [first] = answered
      first?.destroy()
      const later = yield* call(path, { key }).pipe(
        Effect.repeat({ until: ({ status }) => status !== 429 })
      )
      assert.strictEqual(later.status, 200)
      assert.isAbove(later.text.length, mebibyte)
    }).pipe(Effect.scoped)
  )
})
