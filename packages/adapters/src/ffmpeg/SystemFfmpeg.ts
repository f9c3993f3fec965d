/**
 * Runs the system's ffmpeg, which is the fastest engine, gets the system's security updates, and
 * runs in its own process, so that hostile media cannot harm the main process.
 */

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process"
import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, isAbsolute, join } from "node:path"
import type { Readable } from "node:stream"
import { Duration, Effect, Option } from "effect"
import { endGroup, killGroup } from "../processes/Command.ts"
import { decodeArguments } from "./FfmpegArguments.ts"
import {
  balanceOf,
  cleanDetail,
  type Engine,
  fileByteMaxOf,
  indexOf,
  type Run,
  unavailable
} from "./FfmpegOutcome.ts"

// Runs a child in its own process group, limited by the operating system. Effect's `ChildProcess`
// would pipe all output through this process; here the child writes to the file itself.

/** A command to run in a limited child process. */
export interface Command {
  /** The absolute path of the program. */
  readonly path: string
  readonly arguments: ReadonlyArray<string>
  readonly folder: string
  /** The file descriptor for the child's standard output, if any. */
  readonly output: number | "ignore"
  /**
   * The system kills the child when a file exceeds this size, regardless of the child's arguments.
   */
  readonly fileByteMax: number
  /** The system kills the child after this much CPU time, even if the main process is gone. */
  readonly cpuTime: Duration.Duration
}

/**
 * Number of bytes to keep from the start of the log, where the file is described: enough for all
 * chapters and lyrics seen so far.
 */
const headByteMax = 256 * 1_024

/**
 * Number of bytes kept from the end of the log. All other output is read and discarded, so that a
 * full pipe does not block the child.
 */
const tailByteMax = 8 * 1_024

/**
 * Maximum address space in bytes. ffmpeg and its libraries take 0.4 GB; media that needs five times
 * as much is hostile.
 */
const memoryKibibyteMax = 2 * 1_024 * 1_024

const isWindows = process.platform === "win32"

/** Bytes per unit of the shell's file size limit. */
const blockBytes = 512

/**
 * Disables core dumps and limits CPU time, memory and file size. The shell then replaces itself
 * with the command. If the system does not support a limit, or already has a lower one, nothing
 * changes.
 */
const limitScript =
  'ulimit -c 0; ulimit -t "$1"; ulimit -v "$2"; ulimit -f "$3"; shift 3; exec 2>&3 3>&- "$@"'

const optionsOf = ({ folder, output }: Command): SpawnOptions => ({
  cwd: folder,
  // On Windows, programs do not start without this variable; on other systems, they get an empty
  // environment.
  env: isWindows ? { SystemRoot: process.env.SystemRoot } : {},
  detached: !isWindows,
  windowsHide: true,
  // The shell's own errors are dropped; the command's errors go to descriptor 3.
  stdio: isWindows ? ["ignore", output, "pipe"] : ["ignore", output, "ignore", "pipe"]
})

const start = (command: Command): ChildProcess => {
  const options = optionsOf(command)
  if (isWindows) return spawn(command.path, command.arguments, options)
  const seconds = Math.ceil(Duration.toSeconds(command.cpuTime))
  const blocks = Math.ceil(command.fileByteMax / blockBytes)
  const limits = [seconds, memoryKibibyteMax, blocks].map(String)
  return spawn(
    "/bin/sh",
    ["-c", limitScript, "sh", ...limits, command.path, ...command.arguments],
    options
  )
}

/** Keeps only the beginning and the end of a stream's content. */
const keepEnds = (stream: Readable): (() => string) => {
  let head = ""
  let tail = ""
  stream.setEncoding("latin1")
  stream.on("data", (chunk: string) => {
    const room = headByteMax - head.length
    head += chunk.slice(0, room)
    tail = `${tail}${chunk.slice(Math.max(0, room))}`.slice(-tailByteMax)
  })
  stream.on("error", () => stream.destroy())
  return () => `${head}${tail}`
}

/**
 * Runs a command to completion. Interruption kills the command's whole process group and waits
 * until the group is gone.
 */
export const runSubprocess = (command: Command): Effect.Effect<Run, Error> =>
  Effect.callback((resume) => {
    let child: ChildProcess
    try {
      child = start(command)
    } catch (cause) {
      return resume(Effect.fail(cause instanceof Error ? cause : new Error(String(cause))))
    }
    const stream = child.stdio[isWindows ? 2 : 3]
    const log =
      stream !== null && stream !== undefined && "read" in stream ? keepEnds(stream) : String
    child.once("error", (cause) => resume(Effect.fail(cause)))
    // Programs that the command started must end too, because otherwise they would keep the log
    // open.
    child.once("exit", () => killGroup(child))
    child.once("close", (code, signal) => {
      const end =
        code === null
          ? ({ _tag: "Signalled", signal: signal ?? "no signal" } as const)
          : ({ _tag: "Exited", code } as const)
      resume(Effect.succeed({ end, log: log() }))
    })
    return endGroup(child)
  })

/** Maximum time for `ffmpeg -version`, which takes a tenth of a second. */
const answerMax = Duration.seconds(10)

const fileName = process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg"

const isProgram = (path: string): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  }).pipe(Effect.orElseSucceed(() => false))

/** Whether the program at a path exists and works. */
const works = (path: string): Effect.Effect<boolean> =>
  runSubprocess({
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
  // Relative folders are skipped, because they would depend on the working directory.
  const folders = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute)
  for (const folder of new Set(folders)) {
    const path = join(folder, fileName)
    if ((yield* isProgram(path)) && (yield* works(path))) return Option.some(path)
  }
  return Option.none()
})

/** The engine for a system without ffmpeg. Every decoding fails. */
export const missingEngine: Engine = () =>
  Effect.fail(unavailable("No ffmpeg that works was found on PATH."))

/** Returns an engine that runs the program at a path. */
export const engine =
  (path: string): Engine =>
  ({ byteMax, folder, nonce, media, output, selection, timeout }) =>
    runSubprocess({
      path,
      arguments: decodeArguments({
        input: media.path,
        output: "pipe:1",
        byteMax,
        // The path is relative to the run's folder, because a full path would have to be escaped.
        index: `file:${indexOf(nonce)}`,
        balance: `file:${balanceOf(nonce)}`,
        selection
      }),
      folder,
      output,
      // This limit stops only a program that ignores its own limit.
      fileByteMax: fileByteMaxOf(byteMax),
      // The CPU limit is twice the timeout, so it stops only a child that this process no longer
      // supervises.
      cpuTime: Duration.times(timeout, 2)
    }).pipe(Effect.mapError((cause) => unavailable(cleanDetail(`ffmpeg: ${cause.message}`))))
