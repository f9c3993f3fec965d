import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Networks from "#src/domain/outbound/Networks"
import { problemsOf } from "#src/domain/transcription/Templates"
import type { Parameters } from "#src/domain/transcription/TranscriptionRequest"

const notOne =
  "Not one of callback_url, language, modifier, summary, vad_filter, disable_diarization, " +
  "callback_id, initial_prompt, keywords, speakers, speakers_min, speakers_max, tracks"

/** Invalid templates, with the error messages that requests with the same parameters get. */
const broken: ReadonlyArray<readonly [Parameters, string]> = [
  [{ url: "https://media.example/a.mp3" }, notOne],
  [{ ["__proto__"]: "en" }, notOne],
  [{ language: "xx" }, "Invalid language code: xx"],
  [{ vad_filter: "true" }, "Invalid 'vad_filter' value. Must be a boolean"],
  [
    { callback_url: "ftp://hooks.example" },
    "Invalid 'callback_url' format. Must start with http or https"
  ],
  [
    { speakers_min: 3, speakers_max: 2 },
    "Invalid 'speakers_min' value. Must not be greater than 'speakers_max'"
  ],
  [{ callback_url: "http://127.0.0.1/" }, "Invalid URL or file not accessible"]
]

describe("Templates", () => {
  it.each(broken)("cannot set %j", (template, detail) => {
    const [parameter = ""] = Object.keys(template)
    assert.deepStrictEqual(problemsOf(template, []), [{ parameter, detail }])
  })

  it("can set or leave out every parameter except the source", () => {
    const whole = {
      callback_url: "https://hooks.example/in",
      language: "de",
      modifier: "srt",
      summary: "long",
      vad_filter: false,
      disable_diarization: true,
      callback_id: "a",
      initial_prompt: "Names: Ada.",
      keywords: ["Ada", "Zoë Baker"],
      speakers: 2,
      speakers_min: 2,
      speakers_max: 3
    }
    assert.deepStrictEqual(problemsOf(whole, []), [])
    const absent = Object.fromEntries(Object.keys(whole).map((name) => [name, null]))
    assert.deepStrictEqual(problemsOf(absent, []), [])
    assert.deepStrictEqual(problemsOf({ ...absent, callback_url: "" }, []), [])
    assert.deepStrictEqual(problemsOf({}, []), [])
  })

  it("can send webhooks to the allowed networks", () => {
    const allowed = Result.getOrThrow(Networks.fromText("10.0.0.0/8"))
    assert.deepStrictEqual(problemsOf({ callback_url: "http://10.1.2.3/" }, allowed), [])
  })
})
