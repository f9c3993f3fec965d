/**
 * Describes an environment variable: its allowed values, its default, and its effect. This
 * description is used to parse the value, for the help on the terminal, and for the documentation
 * page.
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
  /** The allowed values of a string. The words complete the sentence "VERBATIM_… must be …". */
  readonly expected?: string
  /** The variable of a hosting platform, which is read if Verbatim's variable is not set. */
  readonly platform?: {
    readonly name: string
    /** Whether this command reads the platform's variable. By default, every command reads it. */
    readonly commands?: (command: string) => boolean
    /** If this variable of Verbatim is set, the platform's variable is ignored. */
    readonly unless?: string
    /** The condition under which the platform's variable is read. The words follow "is read". */
    readonly when?: string
  }
  /** Whether the value is a secret, which no message or command shows. */
  readonly isSecret?: boolean
}

/** A variable without its name, which is the key in the table. */
type Row = Omit<Variable, "name">

/** The variables of one section of the page, keyed by name. */
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

/** Describes the allowed values. The words complete the sentence "VERBATIM_… must be …". */
export const limitsOf = ({ expected, range }: Variable): string => {
  if (range === undefined) return expected ?? "any text"
  const { hasDecimals, maximum, minimum } = range
  return `${hasDecimals === true ? "a number" : "a whole number"} from ${minimum} to ${maximum}`
}

/** Describes the default value of a variable. */
export const defaultOf = ({ unset }: Variable): string => {
  if (typeof unset !== "string") return unset.words
  return unset === "" ? "none" : `\`${unset}\``
}
