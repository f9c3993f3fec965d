import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { bytesOfHours } from "#src/ffmpeg/FfmpegArguments"
import { cleanDetail, type End, judge, type Reason } from "#src/ffmpeg/FfmpegOutcome"

const exited = (code: number): End => ({ _tag: "Exited", code })
const signalled = (signal: string): End => ({ _tag: "Signalled", signal })

const verdict = (end: End, run: { readonly log?: string; readonly byteLength?: number } = {}) =>
  Result.match(
    judge(
      { end, log: run.log ?? "" },
      { byteLength: run.byteLength ?? 0, hoursMax: 2, isHtml: false, track: 0, nonce: "mark" }
    ),
    { onFailure: (reason) => reason._tag, onSuccess: (sampleCount) => sampleCount }
  )

/** Generates arbitrary code units, including lone surrogates and control characters. */
const text = Arbitrary.map(
  Arbitrary.array(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff })))
  ),
  (units) => String.fromCharCode(...units)
)

describe("judge", () => {
  it("returns the number of samples if ffmpeg ended normally", () => {
    assert.strictEqual(verdict(exited(0), { byteLength: 64_001 }), 32_000)
    assert.strictEqual(verdict(exited(0), { byteLength: bytesOfHours(2) }), 115_200_000)
  })

  it("returns the reason if ffmpeg produced no samples", () => {
    const table: ReadonlyArray<
      readonly [End, { log?: string; byteLength?: number }, Reason["_tag"]]
    > = [
      [exited(0), {}, "AudioMissing"],
      [exited(0), { byteLength: 1 }, "AudioMissing"],
      [exited(0), { byteLength: bytesOfHours(2) + 2 }, "AudioTooLong"],
      [exited(1), { log: "moov atom not found" }, "MediaUndecodable"],
      [exited(1), { byteLength: 64_000 }, "MediaUndecodable"],
      [exited(183), { log: "Invalid data" }, "MediaUndecodable"],
      [exited(1), { log: "Stream map '0:a:0' matches no streams." }, "AudioMissing"],
      [exited(1), { log: "Output file #0 does not contain any stream" }, "AudioMissing"],
      [signalled("SIGSEGV"), { byteLength: 64_000 }, "MediaUndecodable"],
      [signalled("SIGXCPU"), {}, "MediaUndecodable"],
      [signalled("SIGKILL"), { byteLength: 64_000 }, "EngineUnavailable"],
      [signalled("SIGTERM"), {}, "EngineUnavailable"],
      [exited(255), { byteLength: 64_000 }, "EngineUnavailable"],
      [exited(127), {}, "EngineUnavailable"],
      [exited(126), {}, "EngineUnavailable"],
      [{ _tag: "StorageFailed", code: "EIO" }, { byteLength: 64_000 }, "StorageFailed"],
      [exited(1), { log: "x: No space left on device", byteLength: 64_000 }, "StorageFailed"],
      [exited(0), { log: "x: No space left on device", byteLength: 64_000 }, "StorageFailed"]
    ]
    for (const [end, run, tag] of table) assert.strictEqual(verdict(end, run), tag)
  })
})

describe("the detail of a failure in the log", () => {
  it.prop("is one line of at most 500 printable characters", [text], ([message]) => {
    assert.match(cleanDetail(message), /^[\x20-\x7e]{0,500}$/)
  })

  it("keeps only its end if it is too long", () => {
    assert.strictEqual(cleanDetail("a\u0000\u001b[31m\nb\ud800\u202ec\n"), "a [31m b c")
    assert.isTrue(cleanDetail(`${"x".repeat(600)} why`).endsWith("x why"))
  })
})
