/** Recordings that would keep a decoder busy for nothing: none of them is decoded. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decoding from "#src/ffmpeg/Decoding"
import type { Engine } from "#src/ffmpeg/FfmpegOutcome"
import { newFolder, reasonOf } from "./Clips.ts"
import { silentFlac } from "./HostileBytes.ts"

/** An engine that counts its tasks, and ends each at its limit. */
const counting = Effect.gen(function* () {
  const folder = yield* newFolder
  const seen = { byteLimits: [] as number[], areLengthsIgnored: [] as unknown[] }
  const engine: Engine = ({ byteMax, selection }) => {
    seen.byteLimits.push(byteMax)
    seen.areLengthsIgnored.push(selection.isLengthIgnored)
    return Effect.succeed({ end: { _tag: "Exited", code: 1 }, log: "counted" } as const)
  }
  const layer = Decoding.layer(Effect.succeed(engine), { directory: folder })
  return { folder, layer, seen }
})

/** A WAV file that declares what it likes. */
const wav = (format: {
  rate: number
  byteRate: number
  byteLength: number
  extra?: number
  soundBytes?: number
}) => {
  const { byteLength, byteRate, extra = 0, rate, soundBytes = 40_000 } = format
  const head = Buffer.alloc(44 + extra)
  head.write("RIFF", 0)
  head.writeUInt32LE(0xffffffff, 4)
  head.write("WAVE", 8)
  if (extra > 0) {
    head.write("LIST", 12)
    head.writeUInt32LE(extra - 8, 16)
  }
  head.write("fmt ", 12 + extra)
  head.writeUInt32LE(16, 16 + extra)
  head.writeUInt16LE(1, 20 + extra)
  head.writeUInt16LE(1, 22 + extra)
  head.writeUInt32LE(rate, 24 + extra)
  head.writeUInt32LE(byteRate, 28 + extra)
  head.writeUInt16LE(2, 32 + extra)
  head.writeUInt16LE(16, 34 + extra)
  head.write("data", 36 + extra)
  head.writeUInt32LE(byteLength, 40 + extra)
  return Buffer.concat([head, Buffer.alloc(soundBytes)])
}

/** A FLAC file that declares so many hours at 16 kHz. */
const flac = (hours: number) => {
  const bytes = silentFlac(1)
  bytes.writeUInt32BE(hours * 3_600 * 16_000, 22)
  return bytes
}

const usual = { rate: 16_000, byteRate: 32_000 }
const rateFault = (rate: number) => ({
  _tag: "MediaUndecodable",
  detail: `its sample rate is ${rate} Hz`
})

const refused: ReadonlyArray<readonly [what: string, bytes: Buffer, reason: object]> = [
  ["WAV at 1 Hz", wav({ rate: 1, byteRate: 2, byteLength: 40_000 }), rateFault(1)],
  ["WAV at 999 Hz", wav({ rate: 999, byteRate: 1_998, byteLength: 40_000 }), rateFault(999)],
  [
    "WAV at 1 Hz behind a list",
    wav({ rate: 1, byteRate: 2, byteLength: 40_000, extra: 100 }),
    rateFault(1)
  ],
  [
    "WAV of eleven hours",
    wav({ rate: 1_000, byteRate: 1, byteLength: 79_200_000, soundBytes: 79_200_000 }),
    { _tag: "AudioTooLong", maxHours: 10 }
  ],
  ["FLAC of eleven hours", flac(11), { _tag: "AudioTooLong", maxHours: 10 }],
  ["no bytes", Buffer.alloc(0), { _tag: "MediaUndecodable", detail: "it is empty", cause: "Empty" }]
]

const accepted: ReadonlyArray<readonly [what: string, bytes: Buffer]> = [
  ["WAV of an unknown length", wav({ ...usual, byteLength: 0xffffffff })],
  ["WAV of no length", wav({ ...usual, byteLength: 0 })],
  ["WAV that is cut", wav({ ...usual, byteLength: 4_000_000_000 })],
  ["WAV without a rate of bytes", wav({ rate: 16_000, byteRate: 0, byteLength: 40_000 })],
  ["WAV whose rate of bytes is wrong", wav({ rate: 16_000, byteRate: 1, byteLength: 40_000 })],
  ["WAV that ends in its head", wav({ ...usual, byteLength: 40_000 }).subarray(0, 20)],
  ["FLAC that ends in its head", silentFlac(1).subarray(0, 20)],
  ["FLAC of ten hours", flac(10)]
]

describe("a recording that declares too much", () => {
  it.live.each(refused)("reaches no engine: %s", ([, bytes, reason]) =>
    Effect.gen(function* () {
      const { folder, layer, seen } = yield* counting
      const path = join(folder, "sound.wav")
      yield* Effect.promise(() => writeFile(path, bytes))
      assert.deepStrictEqual(yield* Effect.provide(reasonOf(path), layer), reason)
      assert.deepStrictEqual(seen.byteLimits, [])
    }).pipe(Effect.scoped)
  )

  it.live.each(accepted)("and one that says nothing does: %s", ([, bytes]) =>
    Effect.gen(function* () {
      const { folder, layer, seen } = yield* counting
      const path = join(folder, "sound.wav")
      yield* Effect.promise(() => writeFile(path, bytes))
      yield* Effect.provide(reasonOf(path), layer)
      // A minute at least, and a second for each ten bytes.
      const seconds = Math.ceil(Math.max(60, bytes.length / 10))
      assert.deepStrictEqual(seen.byteLimits, [seconds * 32_000])
    }).pipe(Effect.scoped)
  )
})

/** A chunk of RIFF. */
const chunk = (tag: string, byteLength: number) => {
  const bytes = Buffer.alloc(8 + byteLength)
  bytes.write(tag, 0)
  bytes.writeUInt32LE(byteLength, 4)
  return bytes
}

const behind = (byteLength: number, more: Buffer) =>
  Buffer.concat([wav({ ...usual, byteLength, soundBytes: byteLength }), more])

const ends: ReadonlyArray<readonly [what: string, bytes: Buffer, isIgnored: boolean]> = [
  ["ignored where sound goes on behind it", behind(100, Buffer.alloc(1_900_000)), true],
  ["kept where another chunk follows", behind(100, chunk("LIST", 50_000)), false],
  ["kept where little follows", behind(40_000, Buffer.alloc(128)), false],
  ["kept where nothing follows", behind(40_000, Buffer.alloc(0)), false]
]

describe("the length of a WAV file", () => {
  it.live.each(ends)("is %s", ([, bytes, isIgnored]) =>
    Effect.gen(function* () {
      const { folder, layer, seen } = yield* counting
      const path = join(folder, "sound.wav")
      yield* Effect.promise(() => writeFile(path, bytes))
      yield* Effect.provide(reasonOf(path), layer)
      assert.deepStrictEqual(seen.areLengthsIgnored, [isIgnored])
    }).pipe(Effect.scoped)
  )
})
