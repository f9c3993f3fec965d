/**
 * Runs other programs with limited output and time. An interruption kills a program and every
 * process that the program started.
 */
import type { ChildProcess as NodeChild } from "node:child_process"
import { layer as children } from "@effect/platform-node-shared/NodeChildProcessSpawner"
import { layer as files } from "@effect/platform-node-shared/NodeFileSystem"
import { layer as paths } from "@effect/platform-node-shared/NodePath"
import {
  Duration,
  Effect,
  type FileSystem,
  Layer,
  type Path,
  type PlatformError,
  Schema,
  Stream
} from "effect"
import { ChildProcess, type ChildProcessSpawner } from "effect/process"

/** Whether a child process has ended, or was never started. */
export const hasEnded = (child: NodeChild): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null

/**
 * Kills a detached child and every process that the child started. On Windows, which has no process
 * groups, kills only the child.
 */
export const killGroup = (child: NodeChild): void => {
  try {
    if (process.platform === "win32" || child.pid === undefined) child.kill("SIGKILL")
    else process.kill(-child.pid, "SIGKILL")
  } catch {
    // An error means that the group has already ended.
  }
}

/** Kills a detached child's group, and waits until the child is gone. */
export const endGroup = (child: NodeChild): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (hasEnded(child)) return resume(Effect.void)
    child.once("close", () => resume(Effect.void))
    killGroup(child)
  })

/** A program to run, with its arguments, environment and limits. */
export interface Command {
  /** A path, or a name that is found on the PATH of `environment`. */
  readonly program: string
  readonly arguments: ReadonlyArray<string>
  /** All of the program's environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The program's working directory. Default: that of this process. */
  readonly folder?: string
  readonly timeout: Duration.Duration
  /** A program that writes more than this number of bytes is killed. */
  readonly outputByteMax: number
}

/** The result of a program that ended by itself. */
export interface CommandResult {
  readonly exitCode: number
  /** Everything that the program wrote to its standard output. */
  readonly output: string
  /** The last part of what the program wrote to its standard error. */
  readonly errorOutput: string
}

/** The reasons why a program was never started, or did not end by itself. */
export class CommandError extends Schema.TaggedError<CommandError>()("CommandError", {
  reason: Schema.TaggedUnion({
    /** The program does not exist. */
    Missing: {},
    Slow: {},
    /** The program wrote more than `outputByteMax`. */
    Verbose: {},
    /** The program was killed, or could not be started. */
    Broken: { detail: Schema.String }
  })
}) {}

const { Broken, Missing, Slow, Verbose } = CommandError.fields.reason.cases

/** Time from SIGTERM until a program is killed. */
const grace = Duration.seconds(2)

/** Maximum length to keep from the end of standard error: enough for the last lines of a log. */
const errorCharacterMax = 4_096

/** Runs a program until it ends, regardless of its exit code. */
export const run = Effect.fnUntraced(
  function* (command: Command) {
    const handle = yield* ChildProcess.make(command.program, command.arguments, {
      env: command.environment,
      stdin: "ignore",
      forceKillAfter: grace,
      ...(command.folder === undefined ? {} : { cwd: command.folder })
    })
    const [output, errorOutput, exitCode] = yield* Effect.all(
      [
        limitBytes(handle.stdout, command.outputByteMax),
        keepEnd(handle.stderr, errorCharacterMax),
        handle.exitCode
      ],
      { concurrency: "unbounded" }
    )
    return { exitCode, output, errorOutput } satisfies CommandResult
  },
  Effect.scoped,
  (running, { timeout }) =>
    Effect.timeoutOrElse(running, {
      duration: timeout,
      orElse: () => Effect.fail(new CommandError({ reason: Slow.make({}) }))
    }),
  Effect.catchTag("PlatformError", (error) => Effect.fail(fromPlatform(error)))
)

/** Decodes a byte stream as text. Fails with `Verbose` if the stream is too long. */
const limitBytes = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, byteMax: number) => {
  let length = 0
  return bytes.pipe(
    Stream.mapEffect((chunk) => {
      length += chunk.byteLength
      return length > byteMax
        ? Effect.fail(new CommandError({ reason: Verbose.make({}) }))
        : Effect.succeed(chunk)
    }),
    Stream.decodeText(),
    Stream.mkString
  )
}

/** Returns the last characters of a byte stream. */
const keepEnd = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, characterMax: number) =>
  bytes.pipe(
    Stream.decodeText(),
    Stream.runFold(
      () => "",
      (kept, text) => (kept + text).slice(-characterMax)
    )
  )

const fromPlatform = ({ reason }: PlatformError.PlatformError): CommandError =>
  new CommandError({
    reason: reason._tag === "NotFound" ? Missing.make({}) : Broken.make({ detail: reason.message })
  })

/** Maximum length of a detail in a log line or history entry. */
const detailCharacterMax = 300

/** Makes external text printable, and shortens it to one line for logs and history. */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, detailCharacterMax)
    .toWellFormed()

/** Returns the lines of text that are not blank. */
export const linesOf = (text: string): ReadonlyArray<string> =>
  text.split("\n").filter((line) => line.trim() !== "")

/** The services that an engine needs to run a program. */
export const platform: Layer.Layer<
  ChildProcessSpawner.ChildProcessSpawner | FileSystem.FileSystem | Path.Path
> = Layer.provideMerge(children, Layer.merge(files, paths))
