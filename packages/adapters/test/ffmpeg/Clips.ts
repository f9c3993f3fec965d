/**
 * Provides media for the decoder tests: clips in this repository, and hostile files that the tests
 * create.
 */
import { mkdtemp, open, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { AudioDecoder } from "@verbatim/core/ports"
import { wav } from "@verbatim/testkit/samples"
import { Duration, Effect } from "effect"
import type { Engine } from "#src/ffmpeg/FfmpegOutcome"

/** Returns the path of a file in this repository. */
export const clip = (name: string): string =>
  fileURLToPath(new URL(`../media/${name}`, import.meta.url))

/** Creates an empty folder that is removed when the scope closes. */
export const newFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "verbatim-clips-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Lists the contents of a folder. */
export const namesIn = (folder: string) => Effect.promise(() => readdir(folder))

export const decode = Effect.fnUntraced(function* (path: string) {
  const decoder = yield* AudioDecoder
  const { size } = yield* Effect.promise(() => stat(path))
  return yield* decoder.decode({ path, extension: extname(path), byteLength: size })
})

/** Decodes a file, and returns its length in seconds. */
export const secondsOf = (path: string) =>
  Effect.scoped(Effect.map(decode(path), ({ sampleCount }) => sampleCount / 16_000))

/** Decodes a file that must be refused, and returns the reason. */
export const reasonOf = (path: string) =>
  Effect.map(Effect.flip(secondsOf(path)), ({ reason }) => reason)

/**
 * Creates a WAV file of silence at 16 kHz and 16 bits. The file is sparse, so it takes up no disk
 * space.
 */
export const writeSilence = (
  path: string,
  sound: { readonly seconds: number; readonly channels?: number }
) =>
  Effect.promise(async () => {
    const channels = sound.channels ?? 1
    const byteLength = sound.seconds * 16_000 * 2 * channels
    const format = { sampleRate: 16_000, channels, sampleCount: 0 }
    const header = Buffer.from(wav(format, new Uint8Array(0)))
    header.writeUInt32LE(byteLength, 40)
    await writeFile(path, header)
    const file = await open(path, "r+")
    await file.truncate(44 + byteLength)
    await file.close()
  })

/** Decodes a video while the disk is full, and returns the engine's outcome. */
export const decodeToFullDisk = Effect.fnUntraced(function* (engine: Engine) {
  const folder = yield* newFolder
  const full = yield* Effect.acquireRelease(
    Effect.promise(() => open("/dev/full", "w")),
    (handle) => Effect.promise(() => handle.close())
  )
  return yield* engine({
    media: { path: clip("clip.mp4"), extension: ".mp4", byteLength: 1 },
    selection: { track: 0 },
    nonce: "mark",
    folder,
    output: full.fd,
    outputPath: "/dev/full",
    byteMax: 1_000_000,
    timeout: Duration.seconds(10)
  })
})
