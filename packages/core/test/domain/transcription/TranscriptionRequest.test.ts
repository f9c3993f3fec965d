/** Returns the request that results from accepted parameters. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { TranscriptionRequest, withKeywords } from "#src/domain/transcription/TranscriptionRequest"
import { answer, hook, minimal, submit, upload, url } from "./TranscriptionRequest.submissions.ts"

describe("an accepted transcription request", () => {
  it("requires a URL or a file, and has defaults for all other parameters", () => {
    assert.deepStrictEqual(submit({ url }), Result.succeed(minimal))
    assert.deepStrictEqual(
      submit({}, upload("C:\\audio\\Meeting.MP3")),
      Result.succeed({ ...minimal, source: { _tag: "Upload", filename: "Meeting.MP3" } })
    )
  })

  it("keeps every parameter that was sent", () => {
    const parameters = {
      url,
      language: "cy",
      initial_prompt: "Harbour, quay",
      keywords: ["Port Vell", "quay", "Port Vell"],
      speakers: 2,
      speakers_min: 1,
      speakers_max: 32,
      tracks: "mix",
      vad_filter: false,
      disable_diarization: true,
      callback_url: hook,
      callback_id: "订单-7",
      modifier: "plain_text",
      summary: "brief",
      template: "court"
    }
    const expected = {
      source: { _tag: "Url", url },
      language: "cy",
      initialPrompt: "Harbour, quay",
      keywords: ["Port Vell", "quay"],
      speakerCount: 2,
      speakerCountMin: 1,
      speakerCountMax: 32,
      tracks: "mix",
      isVadFiltered: false,
      isDiarized: false,
      callback: { url: hook, modifier: "plain_text" },
      callbackId: "订单-7",
      summary: "brief",
      template: "court"
    } as const
    assert.deepStrictEqual(submit(parameters), Result.succeed(expected))
    const words = { ...parameters, vad_filter: "false", disable_diarization: "true" }
    for (const keywords of ["Port Vell, quay,Port Vell,", '["Port Vell", "quay"]']) {
      const digits = { speakers: "2", speakers_min: "1", speakers_max: "32" }
      const text = submit({ ...words, ...digits, keywords }, { isTextual: true })
      assert.deepStrictEqual(text, Result.succeed(expected))
    }
  })

  it("treats a parameter that is null or an empty string as missing", () => {
    for (const absent of ["", null, undefined]) {
      const names = [
        ...["callback_url", "language", "modifier", "summary", "vad_filter", "template"],
        ...["disable_diarization", "callback_id", "initial_prompt", "keywords", "speakers"],
        ...["speakers_min", "speakers_max", "tracks"]
      ]
      const parameters = Object.fromEntries(names.map((name) => [name, absent]))
      assert.deepStrictEqual(submit({ ...parameters, url }), Result.succeed(minimal))
      assert.strictEqual(answer(submit({ url: absent })), "File or URL required")
      assert.strictEqual(answer(submit({ url: absent }, upload("a.mp3"))), "accepted")
    }
  })

  it("keeps a callback_id and drops a modifier without a callback_url", () => {
    assert.deepStrictEqual(
      submit({ url, callback_id: "7", modifier: "plain_json" }),
      Result.succeed({ ...minimal, callbackId: "7" })
    )
  })

  it("takes missing parameters from its template, except the source", () => {
    const base = { ...minimal, template: "court", isVadFiltered: false } as const
    assert.deepStrictEqual(
      submit({ url, template: "court" }),
      Result.succeed({ ...base, language: "de", summary: "long" })
    )
    assert.deepStrictEqual(
      submit({ url, template: "court", language: "en", summary: "", vad_filter: true }),
      Result.succeed({ ...base, isVadFiltered: true, language: "en", summary: "long" })
    )
    assert.strictEqual(answer(submit({ template: "court" })), "File or URL required")
    assert.deepStrictEqual(
      submit({ url, template: "__proto__" }, { isTextual: true }),
      Result.succeed({ ...minimal, template: "__proto__", language: "fr" })
    )
  })

  it("lists its own keywords before its workspace's, without duplicates", () => {
    const own = Result.getOrThrow(submit({ url, keywords: ["b", "a"] }))
    assert.deepStrictEqual(withKeywords(own, ["c", "a"]).keywords, ["b", "a", "c"])
  })

  it("ignores inherited and unknown keys", () => {
    const parameters = JSON.parse(`{"url":"${url}","__proto__":{"language":7},"constructor":1}`)
    assert.deepStrictEqual(submit(parameters), Result.succeed(minimal))
    assert.deepStrictEqual(
      submit(Object.assign(Object.create({ language: 7 }), { url })),
      Result.succeed(minimal)
    )
    assert.strictEqual(answer(submit({ url }, { repeated: ["x", "__proto__"] })), "accepted")
  })

  it("accepts parameters of the maximum length", () => {
    const initial_prompt = "\u{1F3B5}".repeat(4096)
    assert.strictEqual(
      answer(submit({ url, initial_prompt, callback_id: "é".repeat(512) })),
      "accepted"
    )
  })

  it("is unchanged when it is stored and read again", () => {
    const request = Result.getOrThrow(submit({ url, callback_url: hook, template: "court" }))
    const codec = Schema.toCodecJson(TranscriptionRequest)
    const json = JSON.stringify(Schema.encodeSync(codec)(request))
    assert.deepStrictEqual(Schema.decodeUnknownSync(codec)(JSON.parse(json)), request)
  })
})
