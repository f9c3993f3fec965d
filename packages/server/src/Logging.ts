/** Logs to standard error. Lines are made for people on a terminal, and for programs elsewhere. */
import { styleText } from "node:util"
import {
  Cause,
  Config,
  Effect,
  Formatter,
  Layer,
  Logger,
  type LogLevel,
  Option,
  References
} from "effect"
import { clear } from "./command/terminal/ProgressBar.ts"

const logFormats = ["pretty", "json", "logfmt"] as const
type LogFormat = (typeof logFormats)[number]

/** The log levels by name, from most to least verbose. */
const levels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const satisfies Readonly<Record<string, LogLevel.LogLevel>>

type LevelName = keyof typeof levels

const levelNames = Object.keys(levels) as ReadonlyArray<LevelName>

/** An operator's log settings. */
export interface LogConfiguration {
  /** By default, the format depends on whether standard error is a terminal. */
  readonly format: Option.Option<LogFormat>
  readonly level: LogLevel.LogLevel
}

/** Reads the log variables. */
export const logConfiguration: Config.Config<LogConfiguration> = Config.all({
  format: Config.option(Config.Literals(logFormats, "VERBATIM_LOG_FORMAT")),
  level: Config.Literals(levelNames, "VERBATIM_LOG_LEVEL").pipe(
    Config.withDefault("info" as const),
    Config.map((name) => levels[name])
  )
})

const loggers: Readonly<Record<LogFormat, () => Logger.Logger<unknown, void>>> = {
  pretty: () => pretty(process.stderr),
  json: () => logger(),
  logfmt: () => Logger.withConsoleError(Logger.formatLogFmt)
}

const formatFor = (isTerminal: boolean): LogFormat => (isTerminal ? "pretty" : "json")

/**
 * Log settings to use if the configuration is invalid, so that the command can still report the
 * mistakes.
 */
const fallback: LogConfiguration = { format: Option.none(), level: "Info" }

/**
 * Logs as the environment variables say. The command reports mistakes in them when it reads all
 * settings.
 */
export const layer: Layer.Layer<never> = Layer.unwrap(
  Effect.gen(function* () {
    const settings = Option.getOrElse(yield* Effect.option(logConfiguration), () => fallback)
    const isTerminal = process.stderr.isTTY === true
    const format = Option.getOrElse(settings.format, () => formatFor(isTerminal))
    return Layer.mergeAll(
      Logger.layer([loggers[format]()]),
      Layer.succeed(References.MinimumLogLevel, settings.level)
    )
  })
)

/**
 * Maximum number of pending lines. When it is reached, all are written immediately, so a loop that
 * logs without waiting cannot exhaust memory.
 */
const lineMax = 1_000

/**
 * A line is written after at most this many milliseconds. A separate write for each line would make
 * the median request 18 % slower. If the process is killed, only the pending lines are lost.
 */
const delayMillis = 20

interface Entry {
  readonly timestamp: string
  readonly level: string
  readonly message: unknown
  readonly cause: string | undefined
  readonly annotations: Readonly<Record<string, unknown>>
}

const toText = (value: unknown): string =>
  typeof value === "string" ? value : Formatter.format(value)

/**
 * Encodes a line as JSON. If a value has no JSON form, such as a cyclic object, it is formatted as
 * text, because logging must not fail.
 */
const toJson = (line: object): string => {
  try {
    return JSON.stringify(line)
  } catch {
    const texts = Object.entries(line).map(([name, value]) => [name, toText(value)])
    return JSON.stringify(Object.fromEntries(texts))
  }
}

/**
 * Encodes an entry and leaves out its empty parts. Annotations are on the same level as the
 * message.
 */
const toLine = ({ annotations, cause, level, message, timestamp }: Entry): string => {
  const said = { ...annotations, ...(cause === undefined ? {} : { cause }) }
  return `${toJson({ timestamp, level, message, ...said })}\n`
}

/**
 * Moves an error that is logged next to a message into the cause, so that the message stays a
 * string.
 */
const withCause = (options: Logger.Options<unknown>): Logger.Options<unknown> => {
  const parts = [options.message].flat()
  const errors = parts.filter((part) => part instanceof Error)
  if (errors.length === 0 || errors.length === parts.length) return options
  const cause = Cause.fromReasons([
    ...options.cause.reasons,
    ...errors.flatMap((error) => Cause.fail(error).reasons)
  ])
  return { ...options, cause, message: parts.filter((part) => !(part instanceof Error)) }
}

const levelColors: Readonly<Record<string, "red" | "yellow">> = {
  WARN: "yellow",
  ERROR: "red",
  FATAL: "red"
}

/** Logs readable lines. On a terminal, each line first erases the progress bar, if there is one. */
export const pretty = (stream: { readonly isTTY?: boolean }): Logger.Logger<unknown, void> =>
  Logger.withConsoleError(
    Logger.make((options) => {
      const entry: Entry = Logger.formatStructured.log(withCause(options))
      const { annotations, cause, level, message, timestamp } = entry
      const color = stream.isTTY ? levelColors[level] : undefined
      const shownLevel =
        color === undefined ? level : styleText(color, level, { stream: process.stderr })
      const start = `${stream.isTTY ? clear : ""}${timestamp} ${shownLevel}`
      return [
        [start, ...[message].flat().map(toText)].join(" "),
        ...Object.entries(annotations).map(([name, value]) => `  ${name}: ${toText(value)}`),
        ...(cause === undefined ? [] : [cause.replaceAll(/^/gm, "  ")])
      ].join("\n")
    })
  )

interface Output {
  readonly write: (text: string) => unknown
}

/** Creates a logger, and a function that writes pending lines immediately. */
export const make = (output: Output) => {
  let pending: Array<string> = []
  const flush = () => {
    if (pending.length === 0) return
    const lines = pending
    pending = []
    output.write(lines.join(""))
  }
  const logger = Logger.make<unknown, void>((options) => {
    // The line is formatted now, because its values can change before it is written.
    pending.push(toLine(Logger.formatStructured.log(withCause(options))))
    if (pending.length === 1) setTimeout(flush, delayMillis).unref()
    else if (pending.length >= lineMax) flush()
  })
  return { logger, flush }
}

/** Logs to the standard error of this process. Pending lines are written when the process exits. */
const logger = (): Logger.Logger<unknown, void> => {
  // This process must keep running after the program that reads its log has exited.
  process.stderr.on("error", () => undefined)
  const lines = make(process.stderr)
  process.once("exit", lines.flush)
  return lines.logger
}
