/** A full disk, which Linux provides as a device. */
import { open } from "node:fs/promises"
import { Duration, Effect } from "effect"
import type { Engine } from "#src/ffmpeg/FfmpegOutcome"
import { clip, newFolder } from "./Clips.ts"

/** Returns how an engine ends when it decodes a video onto a full disk. */
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
