import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { chooseTrack } from "#src/ffmpeg/Decoding"
import { leadingSilence, readLog } from "#src/ffmpeg/Description"
import { judge } from "#src/ffmpeg/FfmpegOutcome"

const film = `Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'the media':
  Metadata:
    title           : Stream #0:9: Audio: aac, 48000 Hz, 99 channels
                    :   Stream #0:8: Audio: aac, 48000 Hz, 99 channels
    comment         : No space left on device
  Duration: 01:02:03.50, start: 0.000000, bitrate: 52 kb/s
  Stream #0:0[0x1](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p, 64x48 (default)
  Stream #0:1[0x2](eng): Audio: aac (LC) (mp4a / 0x6134706D), 44100 Hz, stereo, fltp
    Metadata:
      handler_name    : SoundHandler
  Stream #0:2[0x3]: Audio: none (apac / 0x63617061), 48000 Hz, 4 channels (default)
  Stream #0:3: Audio: pcm_s16le, 8000 Hz, 9 channels, s16, 1152 kb/s (default)
  Stream #0:4: Subtitle: mov_text
`
const run = `${film}Stream mapping:
  Stream #0:1 -> #0:0 (aac (native) -> pcm_s16le (native))
Output #0, tee, to '[f=s16le]pipe:1|[f=framecrc]file:Ab3.txt':
  Stream #0:0: Audio: pcm_s16le, 16000 Hz, mono, s16, 256 kb/s
Output #1, wav, to 'file:Ab3.wav':
  Stream #1:0: Audio: pcm_s16le, 2000 Hz, stereo, s16, 64 kb/s
[aac @ 0x1] decode_band_types: Input buffer exhausted before END element found
size=N/A time=00:00:23.54 bitrate=N/A speed= 655x
`

const failed = { _tag: "Exited", code: 1 } as const
const output = { byteLength: 0, hoursMax: 10, isHtml: false, track: 0, nonce: "Ab3" }

/** Returns why an ffmpeg run with this log produced no audio. */
const reasonOf = (log: string) =>
  Result.getOrThrow(Result.flip(judge({ end: failed, log }, output)))

describe("the description of a media file", () => {
  it("gives its tracks, format and duration", () => {
    const { description } = readLog(run, "Ab3")
    assert.deepStrictEqual(description, {
      format: "mov",
      declared: 3_723.5,
      start: 0,
      hasOthers: true,
      tracks: [
        { isDefault: false, isKnown: true },
        { isDefault: true, isKnown: false, channelCount: 4 },
        { isDefault: true, isKnown: true, channelCount: 9 }
      ]
    })
  })

  it("gives no duration if ffmpeg only estimates it", () => {
    const guess = "[mp3 @ 0x1] Estimating duration from bitrate, this may be inaccurate\n"
    assert.isUndefined(readLog(`${guess}${run}`, "Ab3").description?.declared)
  })

  it("selects the default track if it is decodable, or else the first decodable track", () => {
    const known = { isDefault: false, isKnown: true }
    const [marked, unknown] = [
      { ...known, isDefault: true },
      { ...known, isKnown: false }
    ]
    const table = [
      [[], 0],
      [[known, known], 0],
      [[known, marked, marked], 1],
      [[unknown, known], 1],
      [[{ ...unknown, isDefault: true }, known, known], 1],
      [[unknown, unknown], 0]
    ] as const
    for (const [tracks, chosen] of table) assert.strictEqual(chooseTrack({ tracks }), chosen)
  })
})

describe("the silence before the first packet", () => {
  const sound = { format: "mov", tracks: [], hasOthers: false }

  it("lasts until the start time if the declared duration includes the silence", () => {
    assert.strictEqual(leadingSilence({ ...sound, declared: 15.84, start: 4.84 }, 11.01), 4.84)
    assert.strictEqual(leadingSilence({ ...sound, declared: 11.5, start: 0.5 }, 11), 0.5)
  })

  it("is ignored in parts of streams, in videos, and if it is only padding", () => {
    for (const [declared, start] of [
      [11, 7_200],
      [11, 0.5],
      [undefined, 4.84],
      [30, 4.84],
      [11.02, 0.02]
    ] as const) {
      const length = declared === undefined ? {} : { declared }
      assert.strictEqual(leadingSilence({ ...sound, ...length, start }, 11), 0)
    }
    assert.strictEqual(leadingSilence({ ...sound, declared: 15, start: 4, hasOthers: true }, 11), 0)
  })
})

describe("text from the metadata of a file", () => {
  it("is not mistaken for an error message", () => {
    const complaint =
      "[aac @ 0x1] decode_band_types: Input buffer exhausted before END element found"
    assert.strictEqual(readLog(run, "Ab3").complaints, complaint)
  })

  it("is not mistaken for a full disk, even if it contains a forged line", () => {
    const forged = film.replace(
      "title ",
      "x\nStream mapping:\nOutput #1, wav, to 'file:x.wav':\nfile:y: No space left on device\n "
    )
    for (const log of [film, forged, run]) {
      assert.strictEqual(reasonOf(log)._tag, "MediaUndecodable")
    }
    const own = `${run}av_interleaved_write_frame(): No space left on device\n`
    assert.strictEqual(reasonOf(own)._tag, "StorageFailed")
  })
})

describe("the cause of a decoding failure", () => {
  const causes: ReadonlyArray<readonly [cause: string | undefined, reason: object]> = [
    ["UnknownFormat", reasonOf("[hls @ 0x1] Format not on whitelist\nx: Invalid argument\n")],
    [undefined, reasonOf(run)],
    [undefined, reasonOf("RuntimeError: unreachable")]
  ]
  it.each(causes)("is %s", (cause, reason) => {
    assert.strictEqual("cause" in reason ? reason.cause : undefined, cause)
  })
})
