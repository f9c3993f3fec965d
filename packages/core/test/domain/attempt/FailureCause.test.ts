/** What a cause shows of a text from outside, and what it never shows. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { causeOf, Failure, toCause } from "#src/domain/attempt/Failure"

const lower = "abcdefghijklmnopqrstuvwxyz"
const letters = fc.constantFrom(...lower, ...lower.toUpperCase(), ..."0123456789")

/** What keys look like: a prefix and noise, or noise alone that has letters and digits. */
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

describe("A cause", () => {
  it("never holds a key, in whichever message it is repeated", () => {
    fc.assert(
      fc.property(secret, around, ({ key, noise }, write) => {
        const cause = toCause(write(key))
        assert.notInclude(cause, noise)
        assert.notInclude(cause, noise.slice(0, 12))
      })
    )
  })

  it("never holds the ends of a key whose middle is hidden, or the fragment of a URL", () => {
    const hidden = `Incorrect API key: sk-proj-${"*".repeat(150)}wxyz. See https://x.example.`
    assert.strictEqual(toCause(hidden), "Incorrect API key: [key]. See https://x.example.")
    assert.strictEqual(toCause(`No such key abc.${"*".repeat(8)}.wxyz.`), "No such key [key].")
    assert.strictEqual(toCause("https://x.example/#key=a1"), "https://x.example/#key=[key]")
  })

  it("is found in a time that grows with its length, whatever the text is made of", () => {
    const time = (length: number, times: number) => {
      const began = performance.now()
      for (const part of ["*", "a*", "*.", "sk-", "/a", "[:", "1.", "key=", "-"]) {
        for (let run = 0; run < times; run += 1) toCause(part.repeat(length))
      }
      return performance.now() - began
    }
    // The same number of characters: a pattern that tries all ends from all starts takes 8 times.
    // The best of several, by turns: something else may have the processor meanwhile.
    const best = { few: Number.POSITIVE_INFINITY, many: Number.POSITIVE_INFINITY }
    for (let round = 0; round < 9; round += 1) {
      best.few = Math.min(best.few, time(4_000, 1))
      best.many = Math.min(best.many, time(500, 8))
    }
    assert.isBelow(best.few, best.many * 4)
  })

  it("keeps what an operator has to read", () => {
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

  it("names no path and no address, is one line, and has at most 500 characters", () => {
    assert.strictEqual(
      toCause("connect ECONNREFUSED 10.0.0.5:8080\n at ::1:9000 in /var/lib/verbatim/x.wav"),
      "connect ECONNREFUSED [address] at [address] in [path]"
    )
    assert.lengthOf(toCause("No way. ".repeat(1_000)), 500)
  })

  it("is that of an engine or a receiver, and not of our own storage or a host's code", () => {
    const detail = "503 busy"
    assert.strictEqual(causeOf(Failure.cases.EngineUnavailable.make({ detail })), detail)
    assert.strictEqual(causeOf(Failure.cases.ReceiverUnreachable.make({ detail })), detail)
    assert.strictEqual(causeOf(Failure.cases.ReceiverRefused.make({ status: 500, detail })), detail)
    assert.isUndefined(causeOf(Failure.cases.ReceiverRefused.make({ status: 500 })))
    assert.isUndefined(causeOf(Failure.cases.StorageFailed.make({ detail })))
    assert.isUndefined(causeOf(Failure.cases.ListenerFailed.make({ detail })))
  })
})
