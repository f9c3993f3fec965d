/** Tests limits on jobs over HTTP: unfinished jobs, and minutes per day. */
import { assert, layer } from "@effect/vitest"
import { ApiKeys, Submissions } from "@verbatim/core/services"
import { DateTime, Effect, Redacted, Stream } from "effect"
import * as Deployment from "../Deployment.ts"
import { chargeJob, dataOf, type Issued, makeTenant } from "../workspace/WorkspaceCalls.ts"

const dayMillis = 86_400_000

const upload = (key: Issued, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(Deployment.Deployment, ({ call }) => {
    const body = new FormData()
    body.set("file", new File([new Uint8Array(16)], "a.wav"))
    return call("/v1/transcribe", { key: key.token, body, headers })
  })

const limit = (id: string, limits: object) =>
  dataOf({ path: `/workspaces/${id}`, method: "PATCH", json: { limits } })

const limitedKey = (id: string, limits: object) =>
  Effect.map(
    dataOf({ path: `/workspaces/${id}/keys`, json: { kind: "inference", limits } }),
    (key): Issued => key
  )

/** Creates a workspace with limits, and a key that has its own limits. */
const makeLimited = Effect.fnUntraced(function* (
  name: string,
  limits: { readonly workspace: object; readonly key: object }
) {
  const { id, inference } = yield* makeTenant(name)
  yield* limit(id, limits.workspace)
  return { id, inference, key: yield* limitedKey(id, limits.key) }
})

const detailOf = (text: string): string => JSON.parse(text).detail

const workspaceFull = "The workspace has reached its maximum number of unfinished jobs"
const keyFull = "The key has reached its maximum number of unfinished jobs"
const workspaceSpent = "The workspace has used its minutes of audio for today"
const keySpent = "The key has used its minutes of audio for today"

/** Charges minutes for a job of this key that has just ended. */
const charge = ({ id, key }: { readonly id: string; readonly key: Issued }, minutes: number) =>
  Effect.flatMap(DateTime.now, (at) => chargeJob(id, { at, key: key.id, millis: minutes * 60_000 }))

layer(Deployment.layer(), { excludeTestServices: true })("unfinished jobs", (it) => {
  it.effect("have a limit for each workspace and each key", () =>
    Effect.gen(function* () {
      const { inference, key } = yield* makeLimited("both", {
        workspace: { unfinished_jobs: 2 },
        key: { unfinished_jobs: 1 }
      })
      const answers = [
        yield* upload(key),
        yield* upload(key),
        yield* upload(inference),
        yield* upload(inference)
      ]
      assert.deepStrictEqual(
        answers.map(({ status, text }) => (status === 429 ? detailOf(text) : status)),
        [200, keyFull, 200, workspaceFull]
      )
      for (const { headers, status } of answers) {
        assert.strictEqual(headers.get("retry-after"), status === 429 ? "10" : null)
      }
      const { call } = yield* Deployment.Deployment
      const { id: first } = JSON.parse(answers[0]?.text ?? "")
      yield* call(`/v1/transcriptions/${first}`, { method: "DELETE", key: key.token })
      assert.strictEqual((yield* upload(key)).status, 200)
    })
  )

  it.effect("are counted before a body is read, but do not prevent a retry", () =>
    Effect.gen(function* () {
      const { id, inference } = yield* makeTenant("repeat")
      yield* limit(id, { unfinished_jobs: 1 })
      const first = yield* upload(inference, { "idempotency-key": "one" })
      const again = yield* upload(inference, { "idempotency-key": "one" })
      assert.deepStrictEqual([first.status, again.status], [200, 200])
      assert.strictEqual(JSON.parse(again.text).id, JSON.parse(first.text).id)
      const keys = yield* ApiKeys
      const submissions = yield* Submissions
      const caller = yield* keys.authenticate(Redacted.make(inference.token))
      const arrival = { parts: Stream.die("the body was read"), isTextual: false }
      const refusal = yield* Effect.flip(submissions.submit(caller, arrival))
      assert.strictEqual(refusal._tag, "LimitReached")
    })
  )
})

layer(Deployment.layer(), { excludeTestServices: true })("minutes per day", (it) => {
  it.effect("have a limit for each workspace and each key, which resets at midnight", () =>
    Effect.gen(function* () {
      const { id, inference, key } = yield* makeLimited("minutes", {
        workspace: { minutes_per_day: 10 },
        key: { minutes_per_day: 4 }
      })
      yield* charge({ id, key }, 3.9)
      assert.strictEqual((yield* upload(key)).status, 200)
      yield* charge({ id, key }, 0.1)
      const refused = yield* upload(key)
      assert.deepStrictEqual([refused.status, detailOf(refused.text)], [429, keySpent])
      const left = dayMillis - ((yield* DateTime.now).epochMilliseconds % dayMillis)
      const seconds = Number(refused.headers.get("retry-after"))
      assert.isAtLeast(seconds * 1_000, left - 60_000)
      assert.isAtMost(seconds * 1_000, left + 60_000)
      assert.strictEqual((yield* upload(inference)).status, 200)
      yield* charge({ id, key: inference }, 6)
      const spent = yield* upload(inference)
      assert.deepStrictEqual([spent.status, detailOf(spent.text)], [429, workspaceSpent])
      yield* limit(id, { minutes_per_day: null })
      assert.strictEqual((yield* upload(inference)).status, 200)
    })
  )
})
