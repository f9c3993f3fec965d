/** Sends an embedded Verbatim's log to the host's logger. */
import {
  Cause,
  Logger as EffectLogger,
  Formatter,
  type Layer,
  type LogLevel,
  References
} from "effect"
import type { Logger } from "../Options.ts"

type Level = keyof Logger

const levelOf = (level: LogLevel.LogLevel): Level => {
  switch (level) {
    case "Fatal":
    case "Error":
      return "error"
    case "Warn":
      return "warn"
    case "Info":
      return "info"
    default:
      return "debug"
  }
}

const toText = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) => (typeof part === "string" ? part : Formatter.format(part)))
    .join(" ")

const write = (message: string, details: object): void => {
  const suffix = Object.keys(details).length === 0 ? "" : ` ${Formatter.format(details)}`
  process.stderr.write(`verbatim: ${message}${suffix}\n`)
}

const nothing = (): void => undefined

/** The default logger, which writes only warnings and errors. */
const usual: Logger = { debug: nothing, info: nothing, warn: write, error: write }

const toEffect = (logger: Logger) =>
  EffectLogger.make<unknown, void>(({ cause, fiber, logLevel, message }) => {
    const noted = fiber.getRef(References.CurrentLogAnnotations)
    const details = cause.reasons.length === 0 ? noted : { ...noted, cause: Cause.pretty(cause) }
    // A failing logger must not make the logged operation fail.
    try {
      logger[levelOf(logLevel)](toText(message), details)
    } catch {
      return
    }
  })

/** Sends the log to the host's logger. */
export const layer = (logger: Logger | false | undefined): Layer.Layer<never> =>
  EffectLogger.layer(logger === false ? [] : [toEffect(logger ?? usual)])

const lengthMax = 300

const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/** Describes any thrown value by its name and message. */
export const detailOf = (fault: unknown): string => {
  const said = fault instanceof Error ? `${fault.name}: ${fault.message}` : `threw ${typeof fault}`
  return said.replace(breaks, " ").slice(0, lengthMax)
}
