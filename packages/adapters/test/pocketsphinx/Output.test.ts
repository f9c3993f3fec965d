import { assert, describe, it } from "@effect/vitest"
import { Transcript } from "@verbatim/core/transcription"
import { Schema } from "effect"
import * as Output from "#src/pocketsphinx/PocketsphinxTranscriber"
import { toRows } from "../engines/Rows.ts"

const printed = `the meeting will start
<s> 0.290 0.540 0.999700
the 0.550 0.730 0.889484
meeting 0.740 1.080 0.542878
will(2) 1.090 1.350 0.542878
<sil> 1.360 1.500 0.9
start 1.510 1.900 0.1
</s> 3.700 4.010 1.000000

<s> 4.020 4.100 1.000000
[NOISE] 4.200 4.300 0.9
++BREATH++ 4.310 4.400 0.9
</s> 4.410 4.500 1.000000
at nine o'clock
<s> 5.000 5.100 1.0
at 5.110 5.200 0.5
nine 5.210 5.400 0.5
o'clock 5.410 5.800 0.5
</s> 5.810 5.900 1.0
`

const upTo9 = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))

const utterances = Schema.Array(
  Schema.Array(
    Schema.Struct({
      spelling: Schema.String.check(Schema.isPattern(/^[a-z][a-z']{0,15}$/)),
      variant: upTo9,
      second: upTo9
    })
  )
)

describe("Output", () => {
  it("turns each utterance into a segment with its words", () => {
    const segments = Output.parse(printed, 6_000)
    assert.deepStrictEqual(toRows(segments), [
      [550, 1900, "speaker_0", "the meeting will start"],
      [5110, 5800, "speaker_0", "at nine o'clock"]
    ])
    assert.deepStrictEqual(segments[1]?.words, [
      { startMillis: 5110, endMillis: 5200, text: "at" },
      { startMillis: 5210, endMillis: 5400, text: "nine" },
      { startMillis: 5410, endMillis: 5800, text: "o'clock" }
    ])
  })

  it("limits the words per segment and the letters per word", () => {
    const line = `${"a".repeat(10_000)} 0.1 0.2 1.0\n`
    const segments = Output.parse(line.repeat(2 * Output.wordMax + 1), 1_000)
    assert.deepStrictEqual(
      segments.map(({ words }) => words?.length),
      [Output.wordMax, Output.wordMax, 1]
    )
    assert.strictEqual(segments[0]?.words?.[0]?.text.length, Output.wordCharacterMax)
  })

  it.prop("returns every word that the recogniser printed", [utterances], ([spoken]) => {
    const text = spoken
      .map((words) => {
        const lines = words.map(
          ({ second, spelling, variant }) =>
            `${spelling}${variant === 0 ? "" : `(${variant})`} ${second}.000 9.250 0.500000`
        )
        return [words.map(({ spelling }) => spelling).join(" "), "<s> 0.0 0.1 1.0", ...lines].join(
          "\n"
        )
      })
      .join("\n")
    const found = Output.parse(text, 60_000)
    assert.deepStrictEqual(
      found.map((segment) => segment.text),
      spoken
        .filter(({ length }) => length > 0)
        .map((words) => words.map(({ spelling }) => spelling).join(" "))
    )
  })

  it.prop("turns any output into segments in chronological order", [Schema.String], ([text]) => {
    const segments = Output.parse(`${text}\n${text} 1.0 0.5 1.0`, 2_000)
    assert.isTrue(Schema.is(Transcript)({ durationMillis: 2_000, language: "en", segments }))
    const times = segments.flatMap(({ words = [] }) =>
      words.flatMap(({ endMillis, startMillis }) => [startMillis, endMillis])
    )
    assert.deepStrictEqual(
      times,
      times.toSorted((a, b) => a - b)
    )
  })

  it("returns the last error in the log", () => {
    const log = 'INFO: a\nFATAL: "continuous.c", line 157: Failed to open\u0007 file\n\nINFO: b\n'
    assert.strictEqual(
      Output.findError(log),
      'FATAL: "continuous.c", line 157: Failed to open  file'
    )
    assert.strictEqual(Output.findError("one\ntwo\n\n"), "two")
    assert.strictEqual(Output.findError(""), "")
  })
})
