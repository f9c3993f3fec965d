/**
 * Tests error responses as various providers word them. A response may concern all requests, or
 * only one recording or text.
 */
import { assert, describe, it } from "@effect/vitest"
import { isTransient } from "@verbatim/core/attempt"
import { DateTime, Duration, Effect, Option, Redacted } from "effect"
import { meaningOf, retryAfter } from "#src/engines/provider/StatusMeaning"
import { type Answer, respondWith, type Script, serve } from "./ScriptedServer.ts"
import { tone, transcribe, writeAudio } from "./Transcribing.ts"

/** Transcribes two seconds of audio. Returns the outcome, and the number of requests. */
const outcome = Effect.fnUntraced(function* (
  script: Script,
  options: Parameters<typeof transcribe>[1]["options"] = {}
) {
  const server = yield* serve(script)
  const audio = yield* writeAudio(tone(2))
  const result = yield* Effect.result(transcribe(server.url, { options, recognition: { audio } }))
  const requests = server.received.length
  if (result._tag === "Success") return { tag: "", detail: "", isTransient: false, requests }
  const { reason } = result.failure
  const detail = "detail" in reason ? reason.detail : ""
  return { tag: reason._tag as string, detail, isTransient: isTransient(reason), requests }
})

const error = (
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>
): Answer => ({
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
  ...(headers && { headers })
})

const hello = respondWith({ text: "Hello.", language: "english", duration: 2 })

/** Responses with status 200 that contain no transcript. */
const noTranscripts = [
  ...["", "Hello", "{", "null", "[]", "{}"],
  ...['{"text":7}', '{"segments":{}}', "\xff\xfe"]
]

describe("failures that a server reports", () => {
  for (const [status, tag, isTransient] of [
    ...[400, 413, 415, 422].map((status) => [status, "EngineRefused", false] as const),
    ...[401, 402, 403, 404, 405, 302, 307].map((one) => [one, "EngineUnavailable", true] as const)
  ]) {
    it.live(`cause ${tag} immediately for status ${status}`, () =>
      Effect.gen(function* () {
        const refused = yield* outcome(() =>
          error(
            status,
            { error: { message: "No.", type: "invalid_request_error", code: null } },
            {
              location: "http://127.0.0.1:1/elsewhere"
            }
          )
        )
        assert.deepStrictEqual(refused, {
          tag,
          detail: `${status} invalid_request_error: No.`,
          isTransient,
          requests: 1
        })
      })
    )
  }

  for (const status of [408, 409, 429, 500, 502, 503, 504]) {
    it.live(`are retried for status ${status}, and then left to a later attempt`, () =>
      Effect.gen(function* () {
        const failed = yield* outcome(() => error(status, { error: "busy" }))
        assert.deepStrictEqual(failed, {
          tag: "EngineUnavailable",
          detail: `${status} busy`,
          isTransient: true,
          requests: 3
        })
        const recovered = yield* outcome((_, index) => (index < 2 ? error(status, "") : hello))
        assert.deepStrictEqual([recovered.tag, recovered.requests], ["", 3])
      })
    )
  }

  it("are retried after the wait that the server requests, in seconds or as a date", () => {
    const now = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
    for (const value of ["2", "Thu, 01 Jan 2026 00:00:02 GMT"]) {
      const wait = Option.getOrThrow(retryAfter({ "retry-after": value }, now))
      assert.strictEqual(Duration.toSeconds(wait), 2)
    }
  })

  it.live("do not make the worker wait if the requested wait is too long", () =>
    Effect.gen(function* () {
      // The server requests a wait of an hour, which is longer than the test may take.
      const failed = yield* outcome(() => error(503, "later", { "retry-after": "3600" }))
      assert.deepStrictEqual([failed.tag, failed.requests], ["EngineUnavailable", 1])
    })
  )

  it.live(
    "have printable messages without the API key, whatever shape the server's error has",
    () =>
      Effect.gen(function* () {
        const key = Option.some(Redacted.make("sk-very-secret"))
        const shapes: ReadonlyArray<readonly [unknown, string]> = [
          [
            { error: { message: "bad sk-very-secret\u0000\n key", code: "invalid_api_key" } },
            "401 invalid_api_key: bad [key] key"
          ],
          [{ error: "failed to read WAV file" }, "401 failed to read WAV file"],
          [{ detail: "Not authenticated" }, "401 Not authenticated"],
          [
            { detail: [{ loc: ["body", "model"], msg: "Field required" }] },
            "401 model: Field required"
          ],
          ["<html>\n<h1>Nope</h1>", "401 <html> <h1>Nope</h1>"],
          ["", "401"],
          ["x y ".repeat(1_000), `401 ${"x y ".repeat(124)}`]
        ]
        for (const [body, detail] of shapes) {
          const refused = yield* outcome(() => error(401, body), { key })
          assert.strictEqual(refused.detail, detail)
        }
      })
  )

  it.live("are not retried if a response has no transcript", () =>
    Effect.gen(function* () {
      for (const body of noTranscripts) {
        const failed = yield* outcome(() => ({ body }))
        assert.deepStrictEqual([failed.tag, failed.requests], ["EngineFailed", 1], body)
        assert.isTrue(failed.isTransient)
      }
    })
  )

  it.live("are reported as transient if the connection breaks", () =>
    Effect.gen(function* () {
      const reset = yield* outcome((_, __, response) => {
        response.socket?.resetAndDestroy()
        return undefined
      })
      assert.deepStrictEqual([reset.tag, reset.requests], ["EngineUnavailable", 3])
      const brokenOff = yield* outcome((_, index, response) => {
        if (index > 0) return hello
        response.writeHead(200, { "content-length": "1000" })
        response.write("{", () => response.socket?.destroy())
        return undefined
      })
      assert.deepStrictEqual([brokenOff.tag, brokenOff.requests], ["", 2])
    })
  )

  it.live("are reported as transient if a response exceeds the size limit", () =>
    Effect.gen(function* () {
      const failed = yield* outcome(() => ({ body: `"${"x".repeat(3_000_000)}"` }))
      assert.deepStrictEqual(failed, {
        tag: "EngineFailed",
        detail: "the answer is too long",
        isTransient: true,
        requests: 1
      })
    })
  )
})

const openai = (code: string | null, message: string, more = {}) => ({
  error: { message, type: "invalid_request_error", param: null, code, ...more }
})

type Said = readonly [who: string, status: number, body: unknown]

/** Responses that concern every request. */
const outages: ReadonlyArray<Said> = [
  ["OpenAI, wrong key", 401, openai("invalid_api_key", "Incorrect API key: sk-abc*****wxyz.")],
  ["OpenAI, unknown model", 404, openai("model_not_found", "The model `x` does not exist")],
  ["OpenAI, not a speech model", 400, openai(null, "Invalid file", { param: "model" })],
  ["OpenAI, region", 403, openai("unsupported_country_region_territory", "Not supported")],
  ["OpenAI, project", 403, openai("model_not_found", "`p` has no access to `m`")],
  ["OpenAI, quota", 429, openai("insufficient_quota", "You exceeded your quota")],
  ["Azure, deployment", 404, { error: { code: "DeploymentNotFound", message: "Not there." } }],
  ["OpenRouter, credits", 402, { error: { code: 402, message: "Insufficient credits" } }],
  ["OpenRouter, model", 400, { error: { message: "x/y is not a valid model ID" } }],
  ["Groq, retired model", 400, openai("model_decommissioned", "`m` was decommissioned")],
  ["Mistral, model", 400, { message: "Invalid model: x", type: "invalid_model", code: "1500" }],
  ["DeepSeek, balance", 402, { error: { message: "Insufficient Balance" } }],
  ["DeepSeek, model", 400, { error: { message: "Model Not Exist" } }],
  ["Gemini, key", 400, [{ error: { code: 400, message: "API key not valid." } }]],
  ["xAI, key", 400, { error: "Incorrect API key provided: ab***yz." }],
  ["vLLM, model", 404, { message: "The model `x` does not exist.", code: 404 }],
  ["Ollama, model", 404, { error: "model 'x' not found, try pulling it first" }],
  ["speaches, model", 404, { detail: "Model 'x' is not installed locally." }],
  ["FastAPI, model", 422, { detail: [{ loc: ["body", "model"], msg: "Input should be" }] }],
  ["whisper.cpp, wrong path", 404, "File Not Found (/v1/audio/transcriptions)"],
  ["a proxy that denies access", 403, "<html><title>403 Forbidden</title></html>"],
  ["a proxy on the wrong port", 400, "\n<!DOCTYPE html><h1>400 Bad Request</h1>"],
  ["a firewall", 403, "<html><p>Your request was flagged as unusual.</p></html>"],
  ["a redirect to a page", 301, "<html>Moved</html>"]
]

/** Responses that concern only this recording or text. */
const finals: ReadonlyArray<Said> = [
  ["OpenAI, moderation", 400, openai("content_policy_violation", "Your request was rejected")],
  ["OpenAI, file", 400, openai(null, "Invalid file format.", { param: "file" })],
  ["OpenAI, size", 413, openai(null, "Maximum content size limit exceeded")],
  ["Azure, content filter", 400, openai("content_filter", "The response was filtered")],
  [
    "OpenRouter, moderation",
    403,
    {
      error: {
        code: 403,
        message: "The model requires moderation. Your input was flagged",
        metadata: { reasons: ["violence"], flagged_input: "…" }
      }
    }
  ],
  ["FastAPI, file", 422, { detail: [{ loc: ["body", "file"], msg: "Field required" }] }],
  ["whisper.cpp, recording", 400, { error: "failed to read WAV data" }]
]

const answers = [
  ...outages.map((answer) => [...answer, "Barred"] as const),
  ...finals.map((answer) => [...answer, "Refused"] as const)
]

describe("a provider's refusal", () => {
  it.each(answers)("is classified for %s (%d)", (_, status, body, means) => {
    const answer = typeof body === "string" ? body : JSON.stringify(body)
    assert.strictEqual(meaningOf({ status, content: answer }), means)
  })

  it.live("counts as an unsupported language if it names the requested language", () =>
    Effect.gen(function* () {
      const answer = JSON.stringify({ err_msg: "No such model/language/tier combination found." })
      const server = yield* serve(() => ({ status: 400, body: answer }))
      const audio = yield* writeAudio(tone(1))
      const ask = (language: "cy" | null) =>
        Effect.flip(transcribe(server.url, { recognition: { audio, language } }))
      assert.strictEqual((yield* ask("cy")).reason._tag, "LanguageUnsupported")
      assert.strictEqual((yield* ask(null)).reason._tag, "EngineUnavailable")
    })
  )
})
