/** Tests the specification's four renderings, and the segments in a job's status. */
import { assert, describe, it } from "@effect/vitest"
import { paragraphJson, paragraphText } from "#src/domain/rendering/Paragraphs"
import { formOf, output, plainJson, plainText, render } from "#src/domain/rendering/Rendering"
import type { Transcript } from "#src/domain/transcription/Transcript"
import { Modifier } from "#src/domain/transcription/TranscriptionRequest"
import { anyTranscript, letters, transcriptOf } from "./transcripts.ts"

const harbour = transcriptOf("en", [
  [0.29, 1.5, 0, "The boats"],
  [1.5, 2, 0, "have left. Good."],
  [4, 5, 1, "When do"],
  [5, 6.25, 1, "they return?"],
  [75.1, 76, 1, "Nobody knows."]
])

const said = (transcript: Transcript) =>
  letters(transcript.segments.map(({ text }) => text).join(""))

/** The texts of segments, with the string that separates them in the transcript's language. */
const joints: Readonly<Record<string, readonly [string, ReadonlyArray<string>, string]>> = {
  "joins segments without spaces if the language has no spaces": [
    "zh",
    [" 船开了。", "iPhone 15", "回来 "],
    "船开了。iPhone 15回来"
  ],
  "leaves one space between words, whatever spaces surround the segments": [
    "en",
    [" The\nboats ", "  ", "\thave left.\n"],
    "The boats have left."
  ]
}

const renderJson = (modifier: Modifier): unknown => {
  const { body, contentType } = render(modifier, harbour)
  assert.strictEqual(contentType, "application/json")
  return JSON.parse(body)
}

describe("A rendering", () => {
  it("shows sentences, speakers and start times in paragraph_json", () => {
    assert.deepStrictEqual(renderJson("paragraph_json"), {
      duration: "76",
      language: "en",
      list: [
        {
          start: "0.29",
          speaker: "speaker_0",
          text: "The boats have left. Good.",
          sentences: [
            { start: "0.29", text: "The boats have left." },
            { start: "1.5", text: "Good." }
          ]
        },
        {
          start: "4",
          speaker: "speaker_1",
          text: "When do they return?",
          sentences: [{ start: "4", text: "When do they return?" }]
        },
        {
          start: "75.1",
          speaker: "speaker_1",
          text: "Nobody knows.",
          sentences: [{ start: "75.1", text: "Nobody knows." }]
        }
      ]
    })
  })

  it("shows the time and the speaker of each paragraph in paragraph_text", () => {
    assert.deepStrictEqual(render("paragraph_text", harbour), {
      contentType: "text/plain; charset=utf-8",
      body:
        "0:00:00 speaker_0\nThe boats have left. Good.\n\n" +
        "0:00:04 speaker_1\nWhen do they return?\n\n" +
        "0:01:15 speaker_1\nNobody knows.\n\n"
    })
  })

  it("shows only the text in plain_text", () => {
    assert.deepStrictEqual(render("plain_text", harbour), {
      contentType: "text/plain; charset=utf-8",
      body: "The boats have left. Good. When do they return? Nobody knows."
    })
  })

  it("shows the text with its duration and language in plain_json", () => {
    assert.deepStrictEqual(renderJson("plain_json"), {
      duration: "76",
      language: "en",
      list: [{ text: "The boats have left. Good. When do they return? Nobody knows." }]
    })
  })

  it.each(Object.entries(joints))("%s", (_title, [language, texts, joined]) => {
    const rows = texts.map((text, index) => [index, index + 1, 0, text] as const)
    const boats = transcriptOf(language, rows)
    assert.strictEqual(plainText(boats), joined)
    assert.strictEqual(paragraphText(boats), `0:00:00 speaker_0\n${joined}\n\n`)
  })

  it("shows the segments unchanged in a status, with every value as a string", () => {
    assert.deepStrictEqual(output(transcriptOf("en", [[0.29, 4, 0, " boats"]])), {
      duration: "4",
      language: "en",
      list: [{ start: "0.29", end: "4", speaker: "speaker_0", text: " boats" }]
    })
  })

  it.prop("contains every word in its original order", [anyTranscript], ([transcript]) => {
    const all = said(transcript)
    const texts = (list: ReadonlyArray<{ readonly text: string }>) =>
      letters(list.map(({ text }) => text).join(""))
    assert.strictEqual(letters(plainText(transcript)), all)
    assert.strictEqual(texts(plainJson(transcript).list), all)
    assert.strictEqual(texts(paragraphJson(transcript).list), all)
    assert.strictEqual(texts(paragraphJson(transcript).list.flatMap((one) => one.sentences)), all)
    assert.strictEqual(texts(output(transcript).list), all)
  })

  it.prop(
    "does not depend on the speakers if it shows none",
    [Modifier, anyTranscript],
    ([modifier, transcript]) => {
      const segments = transcript.segments.map((each) => ({ ...each, speaker: "Ana" }))
      const { body } = render(modifier, { ...transcript, segments })
      if (!formOf(modifier).hasSpeakers) assert.strictEqual(body, render(modifier, transcript).body)
    }
  )
})
