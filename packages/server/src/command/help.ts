/**
 * `verbatim help configuration`: every variable, from the table that parses them.
 */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { defaultOf, limitsOf, type Part, type Variable } from "../settings/Variable.ts"
import { environmentName, parts } from "../settings/Variables.ts"

const indent = "      "

/** As wide as terminals are. */
const widthMax = 80 - indent.length

/** Breaks a text where a line would be too long; a longer word stays whole. */
const wrap = (text: string, margin = indent): string => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last === undefined || longer.length > widthMax) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines.map((line) => `${margin}${line}`).join("\n")
}

/** Backticks and links are for pages. */
const plain = (text: string): string =>
  text.replaceAll("`", "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")

const paragraph = (variable: Variable): string =>
  [
    `  ${environmentName(variable.name)}`,
    wrap(plain(variable.does)),
    wrap(`default: ${plain(defaultOf(variable))}`),
    wrap(`may be: ${limitsOf(variable)}`)
  ].join("\n")

const section = ({ heading, variables }: Part): string =>
  [heading.toUpperCase(), ...variables.map(paragraph)].join("\n\n")

const configuration = Command.make(
  "configuration",
  {},
  Effect.fn(function* () {
    const intro = "Everything is set by environment variables; an empty one is the same as none."
    const others =
      "Where telemetry goes is set by the variables of OpenTelemetry, such as " +
      "OTEL_EXPORTER_OTLP_ENDPOINT: docs/configuration.md has a table of them."
    yield* Console.log([intro, ...parts.map(section), wrap(others, "")].join("\n\n"))
  })
).pipe(Command.withDescription("Every environment variable: what it does, its default, its limits"))

/** The command group. */
export const help = Command.make("help").pipe(
  Command.withDescription("Explain what is set from outside"),
  Command.withSubcommands([configuration])
)
