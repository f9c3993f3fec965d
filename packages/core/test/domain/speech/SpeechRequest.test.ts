import { assert, describe, it } from "@effect/vitest"
import { type Granularity, SpeechForm, SpeechModels, SpeechRefused } from "@verbatim/core/speech"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import type { SpeechValue } from "#src/domain/speech/SpeechParameters"
import { decodeSpeech, type SpeechRequest } from "#src/domain/speech/SpeechRequest"
import { sentAsFile } from "#src/domain/transcription/TranscriptionRequest"

const forms: ReadonlyArray<string> = SpeechForm.literals

const models = Effect.runSync(SpeechModels)

const decode = (sent: Readonly<Record<string, SpeechValue | ReadonlyArray<SpeechValue>>>) =>
  decodeSpeech(
    new Map(
      Object.entries(sent).map(([name, value]) => [
        name,
        Array.isArray(value) ? value : [value as SpeechValue]
      ])
    ),
    models
  )

const accepted = (sent: Parameters<typeof decode>[0]): SpeechRequest =>
  Result.getOrThrow(decode({ model: "whisper-1", ...sent }))

const refused = (sent: Parameters<typeof decode>[0]) => {
  const result = decode({ model: "whisper-1", ...sent })
  assert.isTrue(Result.isFailure(result), JSON.stringify(sent))
  return Result.isFailure(result) ? result.failure : undefined
}

describe("A transcription request in OpenAI's format", () => {
  it("gets a JSON response if it sets only the model", () => {
    assert.deepStrictEqual(accepted({}), {
      form: "json",
      isStreamed: false,
      granularities: new Set<Granularity>(["segment"]),
      parameters: {
        language: null,
        initial_prompt: null,
        keywords: null,
        disable_diarization: true
      }
    })
  })

  it("can contain lists in several notations", () => {
    for (const name of ["keywords", "keywords[]"]) {
      assert.deepStrictEqual(accepted({ [name]: ["Ada", "Ben"] }).parameters.keywords, [
        "Ada",
        "Ben"
      ])
    }
    assert.deepStrictEqual(accepted({ keywords: "Ada, Ben" }).parameters.keywords, ["Ada", "Ben"])
    assert.deepStrictEqual(
      accepted({ "keywords[0]": "Ada", "keywords[1]": "B" }).parameters.keywords,
      ["Ada", "B"]
    )
    const verbose = accepted({
      response_format: "verbose_json",
      "timestamp_granularities[]": ["word", "segment"]
    })
    assert.deepStrictEqual(verbose.granularities, new Set(["word", "segment"]))
    assert.strictEqual(accepted({ "languages[]": "de" }).parameters.language, "de")
  })

  it("keeps the elements of a list unchanged, and splits only a list sent as one string", () => {
    for (const name of ["keywords[]", "keywords[0]"]) {
      for (const keyword of ["Acme, Inc.", "[redacted] team", '["Ada"]']) {
        assert.deepStrictEqual(accepted({ [name]: keyword }).parameters.keywords, [keyword])
      }
    }
    assert.deepStrictEqual(accepted({ keywords: '["Acme, Inc."]' }).parameters.keywords, [
      "Acme, Inc."
    ])
    assert.deepStrictEqual(
      accepted({ keywords: "Ada, Ben", "keywords[]": "Acme, Inc." }).parameters.keywords,
      ["Ada, Ben", "Acme, Inc."]
    )
  })

  it("is refused if a parameter is unsupported, with an error that names it", () => {
    const rows: ReadonlyArray<readonly [Parameters<typeof decode>[0], string, string]> = [
      [{ model: "gpt-9" }, "model", "model_not_found"],
      [{ model: "" }, "model", "missing_required_parameter"],
      [{ model: ["whisper-1", "whisper-1"] }, "model", "invalid_value"],
      [{ language: sentAsFile }, "language", "invalid_value"],
      [{ temperature: "1.5" }, "temperature", "invalid_value"],
      [{ temperature: "0.2" }, "temperature", "unsupported_value"],
      [{ temperature: "0x0" }, "temperature", "invalid_value"],
      [{ stream: "yes" }, "stream", "invalid_value"],
      [{ stream: "true", response_format: "srt" }, "stream", "unsupported_value"],
      [{ "chunking_strategy[type]": "server_vad" }, "chunking_strategy", "unsupported_value"],
      [{ "include[]": "logprobs" }, "include", "unsupported_value"],
      [{ "include[]": "tea" }, "include", "invalid_value"],
      [{ languages: ["en", "de"] }, "languages", "unsupported_value"],
      [{ language: "en", languages: "de" }, "languages", "unsupported_value"],
      [
        { response_format: "json", "timestamp_granularities[]": "word" },
        "timestamp_granularities",
        "unsupported_value"
      ],
      [
        { response_format: "diarized_json", "timestamp_granularities[]": "word" },
        "timestamp_granularities",
        "unsupported_value"
      ],
      [{ keywords: "a".repeat(101) }, "keywords", "invalid_value"],
      [{ known_speaker_references: "data:" }, "known_speaker_references", "unsupported_value"],
      [{ __proto__x: "1" }, "__proto__x", "unknown_parameter"]
    ]
    for (const [sent, parameter, code] of rows) {
      const refusal = refused(sent)
      assert.deepStrictEqual([refusal?.parameter, refusal?.code], [parameter, code])
    }
  })

  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("true", "0", "word", "verbose_json", "auto", "en", "[", '["a"]', "1e-9"),
    fc.constant(sentAsFile)
  )
  const name = fc.oneof(
    fc.constantFrom(
      ...["model", "language", "languages[]", "keywords", "keywords[]", "temperature"],
      ...["stream", "include[]", "chunking_strategy[type]", "timestamp_granularities[]"],
      ...["response_format", "prompt", "__proto__", "[]", ""]
    ),
    fc.string()
  )

  it("is either accepted or refused with a message, whatever it contains", () => {
    const values = fc.array(value, { maxLength: 3 })
    const anything = fc.array(fc.tuple(name, values), { maxLength: 6 })
    fc.assert(
      fc.property(anything, (sent) => {
        const result = decodeSpeech(new Map(sent), models)
        if (Result.isSuccess(result)) return assert.include(forms, result.success.form)
        assert.instanceOf(result.failure, SpeechRefused)
        assert.isNotEmpty(result.failure.message)
        assert.isTrue(result.failure.message.isWellFormed())
      }),
      { numRuns: 1_000 }
    )
  })
})
