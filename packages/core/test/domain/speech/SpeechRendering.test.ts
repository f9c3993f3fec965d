import { assert, describe, it } from "@effect/vitest"
import {
  DiarizedJson,
  renderSpeech,
  type SpeechForm,
  SpeechJson,
  toEvents,
  VerboseJson
} from "@verbatim/core/speech"
import type { Transcript } from "@verbatim/core/transcription"
import { Result, Schema } from "effect"
import { plainText } from "#src/domain/rendering/Rendering"
import { anyTranscript } from "../rendering/transcripts.ts"

const segments = new Set(["segment"] as const)

const render = (form: SpeechForm, found: Transcript) =>
  Result.getOrThrow(renderSpeech({ form, granularities: segments }, found)).body

describe("A transcription in OpenAI's format", () => {
  it.prop(
    "contains the whole text in all JSON formats and in plain text",
    [anyTranscript],
    ([found]) => {
      const text = plainText(found)
      const json = Schema.decodeUnknownSync(Schema.fromJsonString(SpeechJson))(
        render("json", found)
      )
      const verbose = Schema.decodeUnknownSync(Schema.fromJsonString(VerboseJson))(
        render("verbose_json", found)
      )
      const diarized = Schema.decodeUnknownSync(Schema.fromJsonString(DiarizedJson))(
        render("diarized_json", found)
      )
      assert.deepStrictEqual([json.text, verbose.text, diarized.text], [text, text, text])
      assert.strictEqual(render("text", found), `${text}\n`)
      for (const { end, start } of diarized.segments) assert.isAtMost(start, end)
    }
  )

  it.prop("has the same text with and without streaming", [anyTranscript], ([found]) => {
    for (const form of ["json", "diarized_json"] as const) {
      const events = [...toEvents({ form }, found)]
      const deltas = events.flatMap((event) =>
        event.type === "transcript.text.delta" ? [event.delta] : []
      )
      assert.deepStrictEqual(events.at(-1), {
        type: "transcript.text.done",
        text: deltas.join("")
      })
      const words = (text: string) => text.split(/\s+/).filter((word) => word !== "")
      assert.deepStrictEqual(words(deltas.join("")), words(plainText(found)))
    }
  })

  it("is refused with word timestamps if the engine measured none", () => {
    const spoken = { startMillis: 0, endMillis: 900, speaker: "speaker_0", text: "Hello there." }
    const found = { durationMillis: 1_000, language: "en", segments: [spoken] }
    const wanted = { form: "verbose_json", granularities: new Set(["word"] as const) } as const
    const refusal = renderSpeech(wanted, found)
    assert.isTrue(Result.isFailure(refusal))
    const words = [{ startMillis: 0, endMillis: 400, text: "Hello" }]
    const timed = renderSpeech(wanted, { ...found, segments: [{ ...spoken, words }] })
    assert.isTrue(Result.isSuccess(timed))
    const silent = renderSpeech(wanted, { ...found, segments: [] })
    assert.deepStrictEqual(JSON.parse(Result.getOrThrow(silent).body).words, [])
  })
})
