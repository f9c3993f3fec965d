/**
 * The log as lines of JSON. They are written together at the end of a turn of the event loop, after
 * the answers of that turn: a line costs its request 3 µs instead of 10, and a busy process one
 * write for many lines.
 */
import { Formatter, Logger } from "effect"

/** More are written at once: a loop that logs and never waits must not fill the memory. */
const lineMax = 1_000

type Entry = ReturnType<typeof Logger.formatStructured.log>

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

/** Where lines go. */
interface Output {
  readonly write: (text: string) => unknown
}

/** A logger of lines, and what writes those that are still waiting. */
export const make = (output: Output) => {
  let waiting: Array<Entry> = []
  const flush = () => {
    if (waiting.length === 0) return
    const entries = waiting
    waiting = []
    output.write(entries.map(toLine).join(""))
  }
  const logger = Logger.make<unknown, void>((options) => {
    waiting.push(Logger.formatStructured.log(options))
    if (waiting.length === 1) setImmediate(flush)
    else if (waiting.length >= lineMax) flush()
  })
  return { logger, flush }
}

/** The lines of this process, on its standard error. What waits at its end is written then. */
export const logger = (): Logger.Logger<unknown, void> => {
  // Whoever read them may be gone; a log that nobody reads is no reason to stop.
  process.stderr.on("error", () => undefined)
  const lines = make(process.stderr)
  process.once("exit", lines.flush)
  return lines.logger
}
