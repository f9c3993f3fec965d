/**
 * Tests error responses as various providers word them. A response may concern all requests, or
 * only one recording or text.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { meaningOf } from "#src/engines/provider/StatusMeaning"
import { serve } from "./ScriptedServer.ts"
import { tone, transcribe, writeAudio } from "./Transcribing.ts"

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
