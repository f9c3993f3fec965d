/**
 * The engine that runs the ffmpeg of the system: the fastest, patched by whoever maintains the
 * system, and in a process of its own, so that hostile media breaks nothing of ours.
 */
import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, isAbsolute, join } from "node:path"
import { Duration, Effect, Option } from "effect"
import { balanceOf, type Engine, fileByteMaxOf, indexOf, makeError } from "./Engine.ts"
import { decodeArguments } from "./FfmpegArguments.ts"
import { cleanDetail } from "./FfmpegOutcome.ts"
import * as Subprocess from "./Subprocess.ts"

/** Longest wait for an answer of `ffmpeg -version`, which takes a tenth of a second. */
const answerMax = Duration.seconds(10)

const fileName = process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg"

const isProgram = (path: string): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  }).pipe(Effect.orElseSucceed(() => false))

/** Whether a program is there and works. */
const answers = (path: string): Effect.Effect<boolean> =>
  Subprocess.run({
    path,
    arguments: ["-version"],
    folder: tmpdir(),
    output: "ignore",
    fileByteMax: 0,
    cpuTime: answerMax
  }).pipe(
    Effect.timeoutOption(answerMax),
    Effect.map(Option.exists(({ end }) => end._tag === "Exited" && end.code === 0)),
    Effect.orElseSucceed(() => false)
  )

/** The first ffmpeg on `PATH` that works. */
export const locate: Effect.Effect<Option.Option<string>> = Effect.gen(function* () {
  // A relative folder would mean another program in each directory the process may be in.
  const folders = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute)
  for (const folder of new Set(folders)) {
    const path = join(folder, fileName)
    if ((yield* isProgram(path)) && (yield* answers(path))) return Option.some(path)
  }
  return Option.none()
})

/** No caller can be told, but the log of the server says what to do. */
export const missingEngine: Engine = () =>
  Effect.fail(
    makeError({ _tag: "EngineUnavailable", detail: "No ffmpeg that works was found on PATH." })
  )

/** The engine that runs the program at a path. */
export const engine =
  (path: string): Engine =>
  ({ byteMax, folder, mark, media, output, selection, timeout }) =>
    Subprocess.run({
      path,
      arguments: decodeArguments({
        input: media.path,
        output: "pipe:1",
        byteMax,
        // In its own folder: what else is in the path would have to be escaped.
        index: `file:${indexOf(mark)}`,
        balance: `file:${balanceOf(mark)}`,
        selection
      }),
      folder,
      output,
      // Only a program that does not stop where it was told to gets this far.
      fileByteMax: fileByteMaxOf(byteMax),
      // Twice the time on the wall: only a child that has lost its parent gets this far.
      cpuTime: Duration.times(timeout, 2)
    }).pipe(
      Effect.mapError((cause) =>
        makeError({ _tag: "EngineUnavailable", detail: cleanDetail(`ffmpeg: ${cause.message}`) })
      )
    )
