/**
 * How a process logs: for people on a terminal, for machines elsewhere, and always to the standard
 * error, where it is not mixed with what a command prints.
 */
import { Config, Effect, Formatter, Layer, Logger, type LogLevel, Option, References } from "effect"

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
  json: () => logger(),
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

/** More are written at once: a loop that logs and never waits must not fill the memory. */
const lineMax = 1_000

/** How late a line may be, in milliseconds. A process that is killed loses no more. */
const delayMillis = 20

type Options = Logger.Options<unknown>

/** What a line tells, with its annotations beside it. */
interface Entry {
  readonly timestamp: string
  readonly level: string
  readonly message: unknown
  readonly cause: string | undefined
  readonly annotations: Readonly<Record<string, unknown>>
}

const toText = (value: unknown): string =>
  typeof value === "string" ? value : Formatter.format(value)

/** What JSON cannot hold, such as a cycle, is told as a text: a log must stop nobody. */
const toJson = (line: object): string => {
  try {
    return JSON.stringify(line)
  } catch {
    const texts = Object.entries(line).map(([name, value]) => [name, toText(value)])
    return JSON.stringify(Object.fromEntries(texts))
  }
}

/** What an entry has, and nothing that is empty; what was noted stands beside the message. */
const toLine = ({ annotations, cause, level, message, timestamp }: Entry): string => {
  const said = { ...annotations, ...(cause === undefined ? {} : { cause }) }
  return `${toJson({ timestamp, level, message, ...said })}\n`
}

/** A line that nobody has written yet. */
type PendingLine = () => string

/** What nobody can change later. */
const isFixed = (value: unknown): boolean =>
  value === null ||
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "boolean"

const areFixed = (annotations: Readonly<Record<string, unknown>>): boolean => {
  for (const name in annotations) if (!isFixed(annotations[name])) return false
  return true
}

/** A line that can be made at any time; else nothing. */
const toLazyLine = ({
  cause,
  date,
  fiber,
  logLevel,
  message
}: Options): PendingLine | undefined => {
  const said = Array.isArray(message) && message.length === 1 ? message[0] : message
  const annotations = fiber.getRef(References.CurrentLogAnnotations)
  if (cause.reasons.length > 0 || !isFixed(said) || !areFixed(annotations)) return undefined
  return () => {
    const [timestamp, level] = [date.toISOString(), logLevel.toUpperCase()]
    return toLine({ timestamp, level, message: said, cause: undefined, annotations })
  }
}

/** A line that is made now: what it tells of may change. */
const toFinishedLine = (options: Options): PendingLine => {
  const line = toLine(Logger.formatStructured.log(options))
  return () => line
}

/** Where lines go. */
interface Output {
  readonly write: (text: string) => unknown
}

/** A logger of lines, and what writes those that are still waiting. */
export const make = (output: Output) => {
  let pending: Array<PendingLine> = []
  const flush = () => {
    if (pending.length === 0) return
    const lines = pending
    pending = []
    output.write(lines.map((line) => line()).join(""))
  }
  const logger = Logger.make<unknown, void>((options) => {
    pending.push(toLazyLine(options) ?? toFinishedLine(options))
    if (pending.length === 1) setTimeout(flush, delayMillis).unref()
    else if (pending.length >= lineMax) flush()
  })
  return { logger, flush }
}

/** The lines of this process, on its standard error. What waits at its end is written then. */
const logger = (): Logger.Logger<unknown, void> => {
  // Whoever read them may be gone; a log that nobody reads is no reason to stop.
  process.stderr.on("error", () => undefined)
  const lines = make(process.stderr)
  process.once("exit", lines.flush)
  return lines.logger
}
