/**
 * Tests calls after a limit is reached: the balance, the number of jobs, or requests per second. A
 * repeated call gets the existing job's result, and a new call is refused.
 */
import { Failure } from "@verbatim/core/attempt"
import { TranscriberError } from "@verbatim/core/ports"
import { ApiKeys, Workspaces } from "@verbatim/core/services"
import { noLimits, type WorkspaceId } from "@verbatim/core/workspace"
import { calmScript } from "@verbatim/testkit/fakes"
import { Effect, Redacted } from "effect"
import OpenAI, { RateLimitError } from "openai"
import { assert, describe, it } from "vitest"
import { apiKey, backends, recording, type Servers, startServers, until } from "./ServedSpeech.ts"

const text = "Hello there. Good morning. Shall we?"

const workspaceOf = ({ run }: Servers) =>
  run(
    Effect.flatMap(ApiKeys, ({ authenticate }) =>
      Effect.map(authenticate(Redacted.make(apiKey)), ({ workspaceId }) => workspaceId)
    )
  )

type UseUp = (id: WorkspaceId) => Effect.Effect<unknown, unknown, Workspaces>

const limit =
  (limits: Partial<typeof noLimits>): UseUp =>
  (id) =>
    Effect.flatMap(Workspaces, (workspaces) => workspaces.change(id, { ...noLimits, ...limits }))

/** Limits that may be reached while the job runs. */
const whileRunning: ReadonlyArray<readonly [string, UseUp]> = [
  ["balance", (id) => Effect.flatMap(Workspaces, ({ credit }) => credit(id, { minutes: -600 }))],
  ["room", limit({ unfinishedJobs: 1 })]
]

const send = (
  servers: Servers,
  file: File,
  more: { language?: string; maxRetries?: number } = {}
) => {
  const { language, maxRetries = 0 } = more
  const client = new OpenAI({ apiKey, baseURL: servers.baseUrl, maxRetries })
  return client.audio.transcriptions
    .create({ file, model: "whisper-1", ...(language === undefined ? {} : { language }) })
    .withResponse()
}

const refusal = async (going: Promise<unknown>) => {
  const error: unknown = await going.catch((reason: unknown) => reason)
  assert.instanceOf(error, RateLimitError)
  return error as RateLimitError
}

const idOf = ({ response }: { readonly response: Response }) =>
  response.headers.get("x-verbatim-job-id")

describe.each(backends)("a repeated call on %s", (_, withStores) => {
  it.each(whileRunning)(
    "joins the running job even if the workspace has no %s left",
    (_name, useUp) =>
      withStores(async (stores) => {
        await using servers = await startServers(1, stores)
        const open = await servers.hold()
        const first = send(servers, recording())
        await until(async () => (await servers.runs()) === 1)
        await servers.run(useUp(await workspaceOf(servers)))
        const again = send(servers, recording())
        const other = await refusal(send(servers, recording("another")))
        await open()
        const answers = await Promise.all([first, again])
        assert.deepEqual(
          answers.map(({ data }) => data.text),
          [text, text]
        )
        assert.strictEqual(idOf(answers[0]), idOf(answers[1]))
        assert.strictEqual(other.status, 429)
        assert.strictEqual(await servers.runs(), 1)
        assert.lengthOf(await servers.jobs(), 1)
      })
  )

  it("succeeds despite a limit of one request per second, and gets the existing job", () =>
    withStores(async (stores) => {
      await using servers = await startServers(1, stores)
      const first = await send(servers, recording())
      await servers.run(limit({ requestsPerSecond: 1 })(await workspaceOf(servers)))
      const again = await Promise.all(
        Array.from({ length: 3 }, () => send(servers, recording(), { maxRetries: 100 }))
      )
      assert.deepEqual(new Set(again.map(idOf)), new Set([idOf(first)]))
      assert.strictEqual(await servers.runs(), 1)
    }))

  it("runs again after a failure, at most eight times a day", () =>
    withStores(async (stores) => {
      await using servers = await startServers(1, stores)
      const reason = Failure.cases.EngineRefused.make({ detail: "no such model" })
      const transcribe = Effect.fail(new TranscriberError({ reason }))
      await Effect.runPromise(servers.engines.script({ transcribe }))
      const fail = async (): Promise<string | null> => {
        const error: unknown = await send(servers, recording()).catch((thrown: unknown) => thrown)
        assert.instanceOf(error, OpenAI.APIError)
        return (
          (error as InstanceType<typeof OpenAI.APIError>).headers?.get("x-verbatim-job-id") ?? ""
        )
      }
      const failed: Array<string | null> = []
      for (let index = 0; index < 10; index += 1) failed.push(await fail())
      assert.lengthOf([...new Set(failed)], 8)
      assert.deepEqual(failed.slice(8), [failed[7], failed[7]])
      assert.strictEqual(await servers.runs(), 8)
      // A different request has other derived idempotency keys.
      await Effect.runPromise(servers.engines.script({ transcribe: calmScript.transcribe }))
      const other = await send(servers, recording(), { language: "de" })
      assert.notInclude(failed, idOf(other))
      assert.strictEqual(await servers.runs(), 9)
    }))
})
