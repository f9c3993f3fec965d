/** Tests that a recording that would waste a decoder's time is not decoded. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decoding from "#src/ffmpeg/Decoding"
import type { Engine } from "#src/ffmpeg/FfmpegOutcome"
import { newFolder, reasonOf } from "./Clips.ts"
import { claimingWav, silentFlac } from "./HostileBytes.ts"

/** Decodes a file with an engine that fails. Returns the failure, and the options of each run. */
const decode = Effect.fnUntraced(function* (bytes: Buffer) {
  const folder = yield* newFolder
  const seen = { byteLimits: [] as number[], areLengthsIgnored: [] as unknown[] }
  const engine: Engine = ({ byteMax, selection }) => {
    seen.byteLimits.push(byteMax)
    seen.areLengthsIgnored.push(selection.isLengthIgnored)
    return Effect.succeed({ end: { _tag: "Exited", code: 1 }, log: "counted" } as const)
  }
  const path = join(folder, "sound.wav")
  yield* Effect.promise(() => writeFile(path, bytes))
  const layer = Decoding.layer(Effect.succeed(engine), { directory: folder })
  return { ...seen, reason: yield* Effect.provide(reasonOf(path), layer) }
}, Effect.scoped)

/** A FLAC file that declares the given number of hours at 16 kHz. */
const flac = (hours: number) => {
  const bytes = silentFlac(1)
  bytes.writeUInt32BE(hours * 3_600 * 16_000, 22)
  return bytes
}

const rateFault = (rate: number) => ({
  _tag: "MediaUndecodable",
  detail: `its sample rate is ${rate} Hz`
})

const refused: ReadonlyArray<readonly [what: string, bytes: Buffer, reason: object]> = [
  ["a WAV file at 1 Hz", claimingWav({ rate: 1 }), rateFault(1)],
  ["a WAV file at 999 Hz", claimingWav({ rate: 999 }), rateFault(999)],
  [
    "an eleven-hour WAV file",
    claimingWav({ rate: 1_000, soundBytes: 79_200_000 }),
    { _tag: "AudioTooLong", maxHours: 10 }
  ],
  ["an eleven-hour FLAC file", flac(11), { _tag: "AudioTooLong", maxHours: 10 }],
  ["no bytes", Buffer.alloc(0), { _tag: "MediaUndecodable", detail: "it is empty", cause: "Empty" }]
]

const accepted: ReadonlyArray<readonly [what: string, bytes: Buffer]> = [
  ["a WAV file of unknown length", claimingWav({ dataBytes: 0xffffffff })],
  ["a WAV file with the length 0", claimingWav({ dataBytes: 0 })],
  ["a truncated WAV file", claimingWav({ dataBytes: 4_000_000_000 })],
  ["a WAV file that ends within the header", claimingWav({}).subarray(0, 20)],
  ["a FLAC file that ends within the header", silentFlac(1).subarray(0, 20)],
  ["a ten-hour FLAC file", flac(10)]
]

describe("a recording's header", () => {
  it.live.each(refused)("causes a refusal before decoding: %s", ([, bytes, reason]) =>
    Effect.gen(function* () {
      const decoded = yield* decode(bytes)
      assert.deepStrictEqual(decoded.reason, reason)
      assert.deepStrictEqual(decoded.byteLimits, [])
    })
  )

  it.live.each(accepted)(
    "allows decoding if it declares no length above the limit: %s",
    ([, bytes]) =>
      Effect.gen(function* () {
        // The limit is one second per ten bytes, but never less than a minute.
        const seconds = Math.ceil(Math.max(60, bytes.length / 10))
        assert.deepStrictEqual((yield* decode(bytes)).byteLimits, [seconds * 32_000])
      })
  )
})

/** Returns a chunk of a RIFF file: its name, its declared length, and zeros. */
const chunk = (tag: string, byteLength: number) => {
  const bytes = Buffer.alloc(8 + byteLength)
  bytes.write(tag, 0)
  bytes.writeUInt32LE(byteLength, 4)
  return bytes
}

const behind = (byteLength: number, more: Buffer) =>
  Buffer.concat([claimingWav({ soundBytes: byteLength }), more])

const ends: ReadonlyArray<readonly [what: string, bytes: Buffer, isIgnored: boolean]> = [
  ["ignored if audio continues after the declared end", behind(100, Buffer.alloc(1_900_000)), true],
  ["kept if another chunk follows", behind(100, chunk("LIST", 50_000)), false],
  ["kept if only a few bytes follow", behind(40_000, Buffer.alloc(128)), false],
  ["kept if nothing follows", behind(40_000, Buffer.alloc(0)), false]
]

describe("a WAV file's length", () => {
  it.live.each(ends)("is %s", ([, bytes, isIgnored]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* decode(bytes)).areLengthsIgnored, [isIgnored])
    })
  )
})
