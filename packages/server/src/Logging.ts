/**
 * How a process logs: for people on a terminal, for machines elsewhere, and always to the standard
 * error, where it is not mixed with what a command prints.
 */
import { Config, Effect, Layer, Logger, type LogLevel, Option, References } from "effect"
import * as LogLines from "./LogLines.ts"

/** The forms of a line. */
const logFormats = ["pretty", "json", "logfmt"] as const
type LogFormat = (typeof logFormats)[number]

/** The levels by their names, the most talkative first. */
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

/** What an operator chooses. */
export interface LogConfiguration {
  /** None picks by where the lines go. */
  readonly format: Option.Option<LogFormat>
  /** What is less severe is not logged. */
  readonly level: LogLevel.LogLevel
}

/** The variables about the log. */
export const logConfiguration: Config.Config<LogConfiguration> = Config.all({
  format: Config.option(Config.Literals(logFormats, "VERBATIM_LOG_FORMAT")),
  level: Config.Literals(levelNames, "VERBATIM_LOG_LEVEL").pipe(
    Config.withDefault("info" as const),
    Config.map((name) => levels[name])
  )
})

/** `LogToStderr` is known to the pretty one alone: Effect's own other ones write to the output. */
const loggers: Readonly<Record<LogFormat, () => Logger.Logger<unknown, void>>> = {
  pretty: () => Logger.consolePretty(),
  json: LogLines.logger,
  logfmt: () => Logger.withConsoleError(Logger.formatLogFmt)
}

const formatFor = (isTerminal: boolean): LogFormat => (isTerminal ? "pretty" : "json")

/** Where the configuration is malformed: the command says so, in the usual form. */
const fallback: LogConfiguration = { format: Option.none(), level: "Info" }

/** Logs as the environment says. A mistake in it is told by the command that reads all of it. */
export const layer: Layer.Layer<never> = Layer.unwrap(
  Effect.gen(function* () {
    const settings = Option.getOrElse(yield* Effect.option(logConfiguration), () => fallback)
    const isTerminal = process.stderr.isTTY === true
    const format = Option.getOrElse(settings.format, () => formatFor(isTerminal))
    return Layer.mergeAll(
      Logger.layer([loggers[format]()]),
      Layer.succeed(Logger.LogToStderr, true),
      Layer.succeed(References.MinimumLogLevel, settings.level)
    )
  })
)
