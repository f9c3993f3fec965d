import { ConfigProvider, Effect, Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { openaiConfiguration } from "#src/Configuration"
import { startModels } from "./Models.ts"
import {
  dataDirectory,
  inferenceKey,
  managementKey,
  operatorKey,
  ServerProcess
} from "./ServerProcess.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  Effect.runPromise(openaiConfiguration.parse(ConfigProvider.fromUnknown(variables)))

const secretOf = (key: Option.Option<Redacted.Redacted>) =>
  Option.getOrUndefined(Option.map(key, Redacted.value))

describe("a server with OpenAI's protocol", () => {
  it("is used at a private address if the operator has set it", async () => {
    await using directory = await dataDirectory()
    await using models = await startModels()
    await using server = await ServerProcess.start(directory.path, {
      VERBATIM_ALLOW_NETWORKS: "",
      VERBATIM_TRANSCRIBER: "openai,pocketsphinx",
      VERBATIM_OPENAI_BASE_URL: models.url,
      VERBATIM_OPENAI_API_KEY: "sk-test",
      VERBATIM_OPENAI_SUMMARY_MODEL: "small"
    })
    const accepted = await server.upload({ summary: "brief" }, "harbour-minute.mp3")
    const done = await server.until(
      accepted.id ?? "",
      ({ summary_status }) => summary_status !== "PENDING" && summary_status !== "IN_PROGRESS"
    )
    assert.strictEqual(done.transcription_status, "COMPLETED")
    assert.strictEqual(done.summary, "They met. They left.")
    const response = await server.request(`/v1/status/${accepted.id}/plain_text`)
    // The minute of audio is sent in three pieces.
    const said = "We met at the harbour. Then we left."
    assert.strictEqual(await response.text(), [said, said, said].join(" "))
    const health = await server.json("/health/ready")
    assert.include(JSON.stringify(health), "openai whisper-1")
    assert.strictEqual(models.requests.length, 4)
    for (const line of models.requests.slice(0, 3)) {
      assert.match(line, /^\/v1\/audio\/transcriptions Bearer sk-test \d{6}$/)
    }
    assert.match(models.requests[3] ?? "", /^\/v1\/chat\/completions Bearer sk-test \d+$/)
  })

  it("causes no job to fail while it refuses the key, and the refusal is reported", async () => {
    await using directory = await dataDirectory()
    await using models = await startModels()
    models.takeNoKey(true)
    await using server = await ServerProcess.start(directory.path, {
      VERBATIM_TRANSCRIBER: "openai",
      VERBATIM_OPENAI_BASE_URL: models.url,
      VERBATIM_OPENAI_API_KEY: "a-key-that-is-wrong-7Q",
      VERBATIM_BOOTSTRAP_OPERATOR_KEY: operatorKey
    })
    const accepted = await server.upload({}, "harbour-minute.mp3")
    const said = "The worker cannot use the speech engine"
    const cause = "401 invalid_api_key: Incorrect API key provided: [key]."
    await server.saying(/The speech engine cannot be used/)
    const look = async (key: string) => {
      const response = await server.request("/health/ready", {}, key)
      const { reasons } = (await response.json()) as { readonly reasons: ReadonlyArray<string> }
      return [response.status, reasons]
    }
    assert.deepStrictEqual(await look(operatorKey), [503, [`${said}: ${cause}`]])
    assert.deepStrictEqual(await look(managementKey), [503, [`${said}: ${cause}`]])
    assert.deepStrictEqual(await look(inferenceKey), [503, [`${said}.`]])
    const waiting = await server.json(`/v1/status/${accepted.id}`)
    assert.notStrictEqual(waiting.transcription_status, "FAILED")
    assert.include(server.errors, `The speech engine cannot be used: ${cause}`)
    assert.notInclude(server.errors, "a-key-that-is-wrong")
    models.takeNoKey(false)
    const done = await server.until(
      accepted.id ?? "",
      ({ transcription_status }) => transcription_status === "COMPLETED"
    )
    assert.strictEqual(done.transcription_status, "COMPLETED")
    await server.saying(/The speech engine can be used again/)
    assert.deepStrictEqual(await look(operatorKey), [200, []])
  })
})

describe("an OpenAI configuration", () => {
  it("never sends one server's key to another", async () => {
    const shared = { VERBATIM_OPENAI_API_KEY: "sk-one", VERBATIM_OPENAI_BASE_URL: "http://one/v1" }
    assert.strictEqual(secretOf((await read(shared)).summary.key), "sk-one")
    const other = { ...shared, VERBATIM_OPENAI_SUMMARY_BASE_URL: "http://two/v1" }
    assert.strictEqual(secretOf((await read(other)).summary.key), undefined)
    const own = { ...other, VERBATIM_OPENAI_SUMMARY_API_KEY: "sk-two" }
    assert.strictEqual(secretOf((await read(own)).summary.key), "sk-two")
    assert.strictEqual(secretOf((await read(own)).transcription.key), "sk-one")
  })
})
