/**
 * An environment variable: its allowed values, its default, and what it does. These facts are used
 * to parse the value, and to build the help text on the terminal and the documentation page.
 */

export interface Range {
  readonly minimum: number
  readonly maximum: number
  readonly hasDecimals?: boolean
}

export interface Variable {
  /** The variable's name, without its section's prefix. */
  readonly name: string
  /** The default: a value that could be set, or a description if there is no fixed default. */
  readonly unset: string | { readonly words: string }
  readonly does: string
  /** The allowed range of a number. */
  readonly range?: Range
  /** The allowed values of a string, as words that complete "VERBATIM_… must be …". */
  readonly expected?: string
  /** A hosting platform's variable that is read if Verbatim's variable is not set. */
  readonly platform?: {
    readonly name: string
    /**
     * Whether a given command reads the platform's variable. By default, every command reads it.
     */
    readonly commands?: (command: string) => boolean
    /** Verbatim's variable that disables the platform's variable when it is set. */
    readonly unless?: string
    /** The condition for reading the platform's variable, as words that follow "is read". */
    readonly when?: string
  }
  /** Whether the value is secret, and therefore never shown by messages or commands. */
  readonly isSecret?: boolean
}

/** A variable without its name; in the table, the name is the key. */
type Row = Omit<Variable, "name">

/** One page section's variables by name, as the tables define them. */
export interface Table {
  readonly heading: string
  readonly variables: Readonly<Record<string, Row>>
}

const withPlatform = (
  does: string,
  platform: Variable["platform"]
): Partial<Row> & Pick<Row, "does"> => {
  if (platform === undefined) return { does }
  const { name, when = "" } = platform
  return { does: `${does}; if it is not set, \`${name}\` is read${when}`, platform }
}

/** Describes a variable whose value is a string. */
export const text = (
  { platform, ...given }: Pick<Variable, "unset" | "expected" | "isSecret" | "platform">,
  does: string
): Row => ({ ...given, ...withPlatform(does, platform) })

/** Describes a variable whose value is `true` or `false`. */
export const flag = (unset: "true" | "false", does: string): Row => ({
  unset,
  does,
  expected: "true or false (or on, off, yes, no)"
})

/** Describes a variable whose value is a number. */
export const number = (
  { platform, unset, ...range }: Pick<Variable, "unset" | "platform"> & Range,
  does: string
): Row => ({ unset, range, ...withPlatform(does, platform) })

/** One section of the documentation page, with its variables. */
export interface Part {
  readonly heading: string
  /** The prefix of the variables' names. Default: `VERBATIM_`. */
  readonly prefix?: ""
  readonly variables: ReadonlyArray<Variable>
}

/** Describes the allowed values, to complete the sentence "VERBATIM_… must be …". */
export const limitsOf = ({ expected, range }: Variable): string => {
  if (range === undefined) return expected ?? "any text"
  const { hasDecimals, maximum, minimum } = range
  return `${hasDecimals === true ? "a number" : "a whole number"} from ${minimum} to ${maximum}`
}

/** Describes a variable's default value. */
export const defaultOf = ({ unset }: Variable): string => {
  if (typeof unset !== "string") return unset.words
  return unset === "" ? "none" : `\`${unset}\``
}
