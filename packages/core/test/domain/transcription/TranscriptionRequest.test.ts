/** Returns the request that results from accepted parameters. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import { parse } from "#src/domain/schema/ExactNumber"
import {
  type Parameters,
  type Submission,
  TranscriptionRequest,
  withKeywords
} from "#src/domain/transcription/TranscriptionRequest"
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

const text = { isTextual: true }
const callbackIdSentence =
  "Invalid 'callback_id' value. Must be a string of at most 1024 bytes " +
  "without control characters and without spaces at its ends"
const promptSentence =
  "Invalid 'initial_prompt' value. Must be a string of at most 4096 characters without NUL"

/** Violations of each rule, in the order of the rules. Each row is named after its rule. */
const violations: ReadonlyArray<{
  readonly rule: string
  readonly parameters?: Parameters
  readonly rest?: Partial<Submission>
  readonly sentence: string
}> = [
  ...[7, true, {}, [], [url]].map((value) => ({
    rule: "url type",
    parameters: { url: value },
    sentence: "The 'URL' field must be a string"
  })),
  ...[7, false, {}, [hook]].map((value) => ({
    rule: "callback_url type",
    parameters: { callback_url: value },
    sentence: "The 'callback_url' field must be a string"
  })),
  { rule: "source", parameters: { url: "" }, sentence: "File or URL required" },
  { rule: "source", parameters: { url: null }, sentence: "File or URL required" },
  {
    rule: "both sources",
    parameters: { url },
    rest: upload("a.mp3"),
    sentence: "Provide either file or URL, not both"
  },
  {
    rule: "both sources",
    parameters: { url: "ftp://media.example" },
    rest: upload("a.txt"),
    sentence: "Provide either file or URL, not both"
  },
  ...["ftp://media.example/a.mp3", "media.example", "http:/a", "https:a", " http://a", "//a"].map(
    (value) => ({
      rule: "url scheme",
      parameters: { url: value },
      sentence: "Invalid 'URL' format. Must start with http or https"
    })
  ),
  ...["ftp://hooks.example", "javascript:0", "\thttp://a", "httpx://a"].map((value) => ({
    rule: "callback_url scheme",
    parameters: { callback_url: value },
    sentence: "Invalid 'callback_url' format. Must start with http or https"
  })),
  ...[7, true, ["en"], {}].map((value) => ({
    rule: "language type",
    parameters: { language: value },
    sentence: "Invalid language format. Must be a string"
  })),
  ...["xx", "EN", "english", " en", "__proto__"].map((value) => ({
    rule: "language code",
    parameters: { language: value },
    sentence: `Invalid language code: ${value}`
  })),
  ...["pdf", "PLAIN_TEXT", 7, true].map((value) => ({
    rule: "modifier",
    parameters: { modifier: value },
    sentence: `Invalid modifier: ${value}`
  })),
  ...["short", "Brief", 0, false].map((value) => ({
    rule: "summary",
    parameters: { summary: value },
    sentence: `Invalid summary type: ${value}`
  })),
  ...(["vad_filter", "disable_diarization"] as const).flatMap((flag) =>
    ["yes", "1", "True", "true", 1, 0, {}].map((value) => ({
      rule: flag,
      parameters: { [flag]: value },
      rest: value === "true" ? {} : typeof value === "string" ? text : {},
      sentence: `Invalid '${flag}' value. Must be a boolean`
    }))
  ),
  ...[7, "a\nb", " a", "a ", "é".repeat(513), "a\ud800"].map((value) => ({
    rule: "callback_id",
    parameters: { callback_id: value },
    sentence: callbackIdSentence
  })),
  ...[7, ["a"], "x".repeat(4097), "\u{1F3B5}".repeat(4097), "a\0b", "\udc00"].map((value) => ({
    rule: "initial_prompt",
    parameters: { initial_prompt: value },
    sentence: promptSentence
  })),
  ...["speakers", "speakers_min", "speakers_max"].flatMap((name) =>
    [0, 33, 1.5, "2", [2]].map((value) => ({
      rule: name,
      parameters: { [name]: value },
      sentence: `Invalid '${name}' value. Must be an integer from 1 to 32`
    }))
  ),
  {
    rule: "speakers_min and speakers_max",
    parameters: { speakers_min: 4, speakers_max: 3, speakers: 4 },
    sentence: "Invalid 'speakers_min' value. Must not be greater than 'speakers_max'"
  },
  ...[{ speakers_min: 3 }, { speakers_max: 1 }].map((limit) => ({
    rule: "speakers within limits",
    parameters: { speakers: 2, ...limit },
    sentence: "Invalid 'speakers' value. Must be from 'speakers_min' to 'speakers_max'"
  })),
  { rule: "template", parameters: { template: "nope" }, sentence: "Invalid template: nope" },
  { rule: "template", parameters: { template: 7 }, sentence: "Invalid template: 7" },
  {
    rule: "sent twice",
    rest: { repeated: ["other", "language"] },
    sentence: "Invalid 'language' value. Must be sent only once"
  },
  {
    rule: "sent twice",
    rest: { repeated: ["language", "file"] },
    sentence: "Invalid 'file' value. Must be sent only once"
  },
  ...[
    ["notes.txt", ".txt"],
    ["a.mp3.exe", ".exe"],
    ["NOTES.TXT", ".txt"],
    ["notes", ""],
    ["a.exe\0.mp3", ""]
  ].map(([filename = "", extension]) => ({
    rule: "extension",
    parameters: { url: null },
    rest: upload(filename),
    sentence: `Unsupported file extension: ${extension}`
  }))
]

describe("an invalid transcription request", () => {
  it.each(violations)(
    "is answered with: $sentence ($parameters)",
    ({ parameters, rest, sentence }) => {
      assert.strictEqual(answer(submit({ url, ...parameters }, rest)), sentence)
    }
  )

  it("is refused for the first rule that it breaks", () => {
    const firsts = violations.filter(
      ({ rule }, index) => violations.findIndex((other) => other.rule === rule) === index
    )
    let pairs = 0
    for (const [index, earlier] of firsts.entries()) {
      for (const later of firsts.slice(index + 1)) {
        const parameters: Parameters = { url, ...later.parameters, ...earlier.parameters }
        const rest = { ...later.rest, ...earlier.rest }
        const undone: Parameters = { ...parameters, ...later.parameters }
        // Two violations exclude each other if they need different values of the same parameter.
        if (Object.keys(undone).some((name) => parameters[name] !== undone[name])) continue
        pairs += 1
        const name = `${earlier.rule} before ${later.rule}`
        assert.strictEqual(answer(submit(parameters, rest)), earlier.sentence, name)
      }
    }
    assert.isAtLeast(pairs, 100)
  })

  it("gets an error that shortens long or deep values", () => {
    const sentence = answer(submit({ url, language: "é".repeat(1_000_000) }))
    assert.strictEqual(sentence, `Invalid language code: ${"é".repeat(100)}`)
    assert.strictEqual(answer(submit({ url, modifier: [[["a"]]] })), "Invalid modifier: array")
    assert.strictEqual(answer(submit({ url, summary: { a: 1 } })), "Invalid summary type: object")
    const exact = Object(Option.getOrThrow(parse('{"modifier":9007199254740993}')))
    const shown = answer(submit({ url, ...exact }))
    assert.strictEqual(shown, "Invalid modifier: 9007199254740993")
    const split = answer(submit({ url, language: `x${"\u{1F3B5}".repeat(60)}` }))
    assert.isTrue(split.isWellFormed())
  })

  it("is refused if its template is invalid", () => {
    assert.strictEqual(answer(submit({ url, template: "broken" })), "Invalid language code: xx")
    assert.strictEqual(answer(submit({ url, template: "broken", language: "en" })), "accepted")
  })
})

describe("any transcription request", () => {
  it.prop(
    "is either accepted or refused, whatever its parameters are",
    {
      parameters: Schema.Record(
        Schema.Literals([
          "url",
          "callback_url",
          "language",
          "vad_filter",
          "callback_id",
          "template"
        ]),
        Schema.Json
      ),
      isTextual: Schema.Boolean,
      filename: Schema.NullOr(Schema.String)
    },
    ({ filename, isTextual, parameters }) => {
      const result = submit(parameters, {
        isTextual,
        upload: Option.map(Option.fromNullOr(filename), (filename) => ({ filename }))
      })
      const isRequest = Schema.is(TranscriptionRequest)
      assert.isTrue(Result.isFailure(result) || isRequest(result.success))
    }
  )
})
