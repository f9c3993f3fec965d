/** Tests that only management keys see the cause of a failure and the URLs of a job. */
import { assert, layer } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import { ApiKeys } from "@verbatim/core/services"
import {
  attemptStarted,
  commitOf,
  creation,
  givenUp,
  jobId,
  makeUploadJob
} from "@verbatim/testkit/samples"
import { Effect, Redacted } from "effect"
import * as Deployment from "../Deployment.ts"

const { inference, management } = Deployment.keys
const path = `/v1/transcriptions/${jobId(1)}`

const detail = "401 invalid_api_key: Incorrect API key provided: sk-proj-a1b2c3d4e5f6g7h8."
const cause = "401 invalid_api_key: Incorrect API key provided: [key]."
const links = { media_url: "https://media.example/a.mp3", receiver: "https://hooks.example/in" }

/** Stores a job that failed because an engine refused it for a whole day. */
const prepare = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const { workspaceId } = yield* keys.authenticate(Redacted.make(inference))
  const jobs = yield* JobStore
  const { request } = makeUploadJob(1)
  let job = makeUploadJob(1, {
    workspaceId,
    request: {
      ...request,
      source: { _tag: "Url", url: "https://media.example/a.mp3?signature=s3cret" },
      callback: { url: "https://hooks.example/in?token=s3cret#part", modifier: null }
    }
  })
  yield* jobs.insert(creation(job))
  for (const event of [attemptStarted(), givenUp({ _tag: "EngineUnavailable", detail })]) {
    const commit = commitOf(job, { events: [event] })
    yield* jobs.commit(commit)
    job = commit.next
  }
})

layer(Deployment.layer(), { excludeTestServices: true })("the cause of a failure", (it) => {
  it.effect("contains no secrets and, like the job's URLs, is shown only to management keys", () =>
    Effect.gen(function* () {
      yield* prepare
      const { call } = yield* Deployment.Deployment
      const read = (of: string, key: string) => Effect.map(call(of, { key }), ({ text }) => text)
      const sentence = "The engine is not available"

      const details = JSON.parse(yield* read(path, management))
      assert.deepInclude(details, { error: sentence, cause, ...links })
      const history = JSON.parse(yield* read(`${path}/history`, management))
      assert.deepInclude(history, links)
      assert.deepInclude(history.events.at(-1), { error: sentence, cause })
      const listed = JSON.parse(yield* read("/v1/transcriptions", management))
      assert.deepInclude(listed.data[0], { error: sentence, cause })
      assert.notProperty(listed.data[0], "media_url")

      const others = [
        yield* read(path, inference),
        yield* read(`${path}/history`, inference),
        yield* read("/v1/transcriptions", inference),
        yield* read(`/v1/status/${jobId(1)}`, management)
      ]
      for (const text of others) {
        assert.notMatch(text, /"cause"|invalid_api_key|media\.example|hooks\.example/)
      }
      assert.include(others[0] ?? "", sentence)
      for (const text of [...others, JSON.stringify([details, history, listed])]) {
        assert.notMatch(text, /s3cret|a1b2c3|sk-proj/)
      }
    })
  )
})
