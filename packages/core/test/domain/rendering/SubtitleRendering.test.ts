/** Tests the exact bytes of SubRip and WebVTT files, and that a parser can read them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parseText, tokenizeVTTCue } from "media-captions"
import { cues } from "#src/domain/rendering/Cues"
import { srt, vtt } from "#src/domain/rendering/Rendering"
import { anyTranscript, letters, transcriptOf } from "./transcripts.ts"

declare module "media-captions" {
  export interface ParsedCue {
    readonly startTime: number
    readonly endTime: number
    readonly text: string
  }
  export interface ParsedNode {
    readonly data?: string
    readonly voice?: string
    readonly children?: ReadonlyArray<ParsedNode>
  }
  export function parseText(
    text: string,
    options: { readonly type: "srt" | "vtt"; readonly strict: boolean; readonly errors: boolean }
  ): Promise<{
    readonly cues: ReadonlyArray<ParsedCue>
    readonly errors: ReadonlyArray<unknown>
  }>
  export function tokenizeVTTCue(cue: ParsedCue): ReadonlyArray<ParsedNode>
}

/** Parses subtitles: WebVTT strictly by its standard, and SubRip as leniently as players do. */
const parsed = (text: string, type: "srt" | "vtt") =>
  Effect.promise(() => parseText(text, { type, strict: type === "vtt", errors: true }))

type Nodes = ReturnType<typeof tokenizeVTTCue>
type Cue = Parameters<typeof tokenizeVTTCue>[0]

const textOf = (nodes: Nodes): string =>
  nodes.map(({ children = [], data = "" }) => data + textOf(children)).join("")

/** Returns the speaker and the text of a WebVTT cue, without tags and escapes. */
const spokenIn = (cue: Cue): readonly [speaker: string | undefined, text: string] => {
  const nodes = tokenizeVTTCue(cue)
  return [nodes[0]?.voice, textOf(nodes)]
}

const harbour = transcriptOf("en", [
  [0.29, 1.5, 0, "The boats"],
  [1.5, 2, 0, "have left."],
  [3600, 3602, 1, "When do they return to us, & to all <others> --> who wait at home?"]
])

const millis = (seconds: number) => Math.round(seconds * 1000)

/** The cues that a parser finds without reporting an error. */
const foundIn = (...file: Parameters<typeof parsed>) =>
  Effect.map(parsed(...file), ({ cues, errors }) => {
    assert.deepStrictEqual(errors, [])
    return cues
  })

describe("SubtitleRendering", () => {
  it("writes SubRip", () => {
    assert.strictEqual(
      srt(harbour),
      "1\n00:00:00,290 --> 00:00:02,000\nThe boats have left.\n\n" +
        "2\n01:00:00,000 --> 01:00:02,000\n" +
        "When do they return to us, & to\nall < others> -- > who wait at home?\n\n"
    )
  })

  it("writes WebVTT with the speakers", () => {
    assert.strictEqual(
      vtt(harbour),
      "WEBVTT\n\n00:00:00.290 --> 00:00:02.000\n<v speaker_0>The boats have left.\n\n" +
        "01:00:00.000 --> 01:00:02.000\n<v speaker_1>" +
        "When do they return to us, &amp; to\nall &lt;others&gt; --&gt; who wait at home?\n"
    )
  })

  it("prevents text from being read as a timestamp, a tag or a position", () => {
    const hostile = "--> ---> <b>x</b> {\\an8} {y:i} <3 {a} &amp;"
    const transcript = transcriptOf("en", [[0, 3, 0, hostile]])
    const [, , ...lines] = srt(transcript).trimEnd().split("\n")
    assert.deepStrictEqual(lines, ["-- > --- > < b>x< /b> { \\an8}", "{ y:i} <3 {a} &amp;"])
    assert.notMatch(vtt(transcript).split("\n").slice(3).join(""), /-->|<(?!v )/)
  })

  it("keeps a speaker's name inside its tag", () => {
    const transcript = transcriptOf("en", [[0, 1, 0, "Yes"]])
    const spoken = (speaker: string) => {
      const segments = transcript.segments.map((segment) => ({ ...segment, speaker }))
      return vtt({ ...transcript, segments }).split("\n")[3]
    }
    assert.strictEqual(spoken("A > B\n\n&C"), "<v A &gt; B &amp;C>Yes")
    assert.strictEqual(spoken(" "), "Yes")
  })

  it.effect.prop(
    "writes cues that a WebVTT parser reads correctly",
    [anyTranscript],
    ([transcript]) =>
      Effect.gen(function* () {
        const found = yield* foundIn(vtt(transcript), "vtt")
        assert.deepStrictEqual(
          found.map((cue) => [millis(cue.startTime), millis(cue.endTime), ...spokenIn(cue)]),
          cues(transcript).map(({ endMillis, lines, speaker, startMillis }) => [
            startMillis,
            endMillis,
            speaker,
            lines.join("\n").replaceAll("\0", "\ufffd")
          ])
        )
      })
  )

  it.effect.prop(
    "writes cues that a SubRip parser reads correctly",
    [anyTranscript],
    ([transcript]) =>
      Effect.gen(function* () {
        const found = yield* foundIn(srt(transcript), "srt")
        assert.deepStrictEqual(
          found.map((cue) => [millis(cue.startTime), millis(cue.endTime), letters(cue.text)]),
          cues(transcript).map(({ endMillis, lines, startMillis }) => [
            startMillis,
            endMillis,
            letters(lines.join("\n"))
          ])
        )
      })
  )
})
