/** Failure causes quote parts of external text, but hide secrets. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { causeOf, Failure, toCause } from "#src/domain/attempt/Failure"

const lower = "abcdefghijklmnopqrstuvwxyz"
const letters = fc.constantFrom(...lower, ...lower.toUpperCase(), ..."0123456789")

/** Typical API keys: a prefix followed by random characters, or only random letters and digits. */
const secret = fc
  .tuple(
    fc.constantFrom("sk-", "sk-proj-", "sk-or-v1-", "gsk_", "xai-", "hf_", "vbm_", "whsec_", ""),
    fc.array(letters, { minLength: 24, maxLength: 60 }).map((all) => `a7Q${all.join("")}9z`)
  )
  .map(([prefix, noise]) => ({ noise, key: prefix + noise }))

const around = fc.constantFrom(
  (key: string) => `Incorrect API key provided: ${key}. You can find yours at https://x.example.`,
  (key: string) => `{"error":"no such token '${key}'"}`,
  (key: string) => `401 Authorization: Bearer ${key}`,
  (key: string) => `GET https://user:${key}@host.example/ failed`,
  (key: string) => `https://host.example/v1?key=${key}&x=1: ENOTFOUND`,
  (key: string) => JSON.stringify({ error: `Invalid API key: "${key}"` })
)

describe("The text of a failure's cause", () => {
  it("hides a key in any message that contains it", () => {
    fc.assert(
      fc.property(secret, around, ({ key, noise }, write) => {
        const cause = toCause(write(key))
        assert.notInclude(cause, noise)
        assert.notInclude(cause, noise.slice(0, 12))
      })
    )
  })

  it("hides the visible ends of a masked key, and a URL's fragment", () => {
    const hidden = `Incorrect API key: sk-proj-${"*".repeat(150)}wxyz. See https://x.example.`
    assert.strictEqual(toCause(hidden), "Incorrect API key: [key]. See https://x.example.")
    assert.strictEqual(toCause(`No such key abc.${"*".repeat(8)}.wxyz.`), "No such key [key].")
    assert.strictEqual(toCause("https://x.example/#key=a1"), "https://x.example/#key=[key]")
  })

  it("is extracted from any error message in linear time", () => {
    const time = (length: number, times: number) => {
      const began = performance.now()
      for (const part of ["*", "a*", "*.", "sk-", "/a", "[:", "1.", "key=", "-"]) {
        for (let run = 0; run < times; run += 1) toCause(part.repeat(length))
      }
      return performance.now() - began
    }
    // A pattern with quadratic backtracking would take 8 times as long on the same number of
    // characters. Long and short texts alternate, and only the fastest run of each counts, because
    // other programs may slow a run down.
    const best = { few: Number.POSITIVE_INFINITY, many: Number.POSITIVE_INFINITY }
    for (let round = 0; round < 9; round += 1) {
      best.few = Math.min(best.few, time(4_000, 1))
      best.many = Math.min(best.many, time(500, 8))
    }
    assert.isBelow(best.few, best.many * 4)
  })

  it("keeps the parts of a message that an operator needs", () => {
    for (const text of [
      "404 model_not_found: The model `gpt-4o-mini-transcribe-2025-12-15` does not exist",
      "404 Model 'Systran/faster-distil-whisper-large-v3' is not installed locally.",
      "429 insufficient_quota: You exceeded your current quota, please check your plan",
      "api.openai.com: ENOTFOUND",
      "hooks.example.com: ECONNREFUSED"
    ]) {
      assert.strictEqual(toCause(text), text)
    }
  })

  it("hides paths and addresses, and has one line of at most 500 characters", () => {
    assert.strictEqual(
      toCause("connect ECONNREFUSED 10.0.0.5:8080\n at ::1:9000 in /var/lib/verbatim/x.wav"),
      "connect ECONNREFUSED [address] at [address] in [path]"
    )
    assert.lengthOf(toCause("No way. ".repeat(1_000)), 500)
  })

  it("is shown for failures in engines and receivers, but not in storage or host code", () => {
    const detail = "503 busy"
    assert.strictEqual(causeOf(Failure.cases.EngineUnavailable.make({ detail })), detail)
    assert.strictEqual(causeOf(Failure.cases.ReceiverUnreachable.make({ detail })), detail)
    assert.strictEqual(causeOf(Failure.cases.ReceiverRefused.make({ status: 500, detail })), detail)
    assert.isUndefined(causeOf(Failure.cases.ReceiverRefused.make({ status: 500 })))
    assert.isUndefined(causeOf(Failure.cases.StorageFailed.make({ detail })))
    assert.isUndefined(causeOf(Failure.cases.ListenerFailed.make({ detail })))
  })
})
