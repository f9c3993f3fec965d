/**
 * Redacts a cause for the log: keeps the errors with their stack frames and short messages, and
 * removes any data in them. A driver's error can contain a row, and a parser's message can contain
 * a part of the input.
 */
import { Cause } from "effect"
import { shorten } from "./RequestLogging.ts"

/**
 * Maximum number of errors to read in a chain. Our own chains have four: the errors of the store,
 * the database layer, the database and the driver.
 */
const linkMax = 8

/** Lists an error and its causes, outermost first. */
export const listCauses = (error: unknown): ReadonlyArray<object> => {
  const chain: Array<object> = []
  let link: unknown = error
  while (typeof link === "object" && link !== null && chain.length < linkMax) {
    chain.push(link)
    link = Reflect.get(link, "cause")
  }
  return chain
}

/**
 * Maximum number of errors to log for one cause: a request has one, or two if its cleanup failed
 * too.
 */
const reasonMax = 2

/**
 * Maximum numbers of stack frames to log. The frames of the first error show the operation, and
 * those of the last error show where it began.
 */
const firstFrameMax = 4
const lastFrameMax = 12

/** Reads a string or number property of an error. */
export const readProperty = (error: object, name: string): string => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

/**
 * Lists an error's stack frames. The message precedes the frames, and can itself look like a frame.
 */
export const listFrames = (error: object): ReadonlyArray<string> => {
  const message = readProperty(error, "message")
  const stack = readProperty(error, "stack")
  const at = stack.indexOf(message)
  return stack.slice(at === -1 ? 0 : at + message.length).match(/\n[ \t]+at .*/g) ?? []
}

/** Matches from the first quote to the last, because quoted text can contain quotes. */
const quoted = /["'`][\s\S]*["'`]/g

/**
 * Matches a URL. The scheme has a maximum length; otherwise a search that restarts at each letter
 * of a long text would take seconds.
 */
const url = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)(\S*)/gi

/** Matches the host of a URL, after the user name and password. */
const authority = /^(?:[^/?#]*@)?([^/?#]*)/

/**
 * Keeps only the host of a URL, because both the path and the query can contain a token. If the
 * apparent host contains a colon, and an `@` follows it later, the host is removed too: a password
 * may contain the slash, and the apparent host may be part of the credentials.
 */
const redactURL = (_: string, scheme: string, rest: string): string => {
  const [whole = "", host = ""] = authority.exec(rest) ?? []
  const isDoubtful = host.includes(":") && !whole.includes("@") && rest.includes("@")
  return `${scheme}${isDoubtful ? "" : host}/…`
}

/** Matches text that may be a token. Our shortest keys and most other tokens have 32 characters. */
const token = /[A-Za-z0-9+/=_~-]{32,}/g

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Removes data, such as quoted text and tokens, from an error message. */
export const withoutContent = (message: string): string => {
  const plain = String(message)
    .replace(quoted, "…")
    .replace(url, redactURL)
    .replace(token, (found) => (uuid.test(found) ? found : "…"))
  return shorten(plain)
}

/**
 * Matches the part of a schema's message that names the expected type. The rest shows the value.
 */
const expected = /^Expected [^\n]*?(?=, got |\n|$)/

const redactSchemaMessage = (message: string): string => {
  const [found] = expected.exec(message) ?? []
  return found === undefined ? "the value does not match its schema" : shorten(found)
}

export const redactMessage = (error: object): string => {
  const message = readProperty(error, "message")
  return readProperty(error, "_tag") === "SchemaError"
    ? redactSchemaMessage(message)
    : withoutContent(message)
}

interface Link {
  readonly error: object
  readonly frameMax: number
  readonly cause: Error | undefined
}

/** Copies the name, code, message and stack of an error in redacted form, and nothing else. */
const redactLink = ({ cause, error, frameMax }: Link): Error => {
  const redacted = new Error(redactMessage(error), cause === undefined ? {} : { cause })
  const code = ["code", "errcode"]
    .map((name) => readProperty(error, name))
    .find((each) => each !== "")
  const name = readProperty(error, "name") || "Error"
  const frames = listFrames(error)
    .slice(0, frameMax)
    .map((frame) => `\n    ${shorten(frame).trim()}`)
  redacted.name = withoutContent(code === undefined ? name : `${name} (${code})`)
  redacted.stack = `${redacted.name}: ${redacted.message}${frames.join("")}`
  return redacted
}

const redactError = (error: unknown): Error => {
  const chain = listCauses(error)
  const redacted = chain.reduceRight<Error | undefined>((cause, link, index) => {
    const isLast = index === chain.length - 1
    const frameMax = isLast ? lastFrameMax : index === 0 ? firstFrameMax : 0
    return redactLink({ error: link, frameMax, cause })
  }, undefined)
  return redacted ?? new Error(withoutContent(String(error)))
}

/** Copies a cause without the data in its errors, for the log. */
export const redactCause = (cause: Cause.Cause<unknown>): Cause.Cause<never> => {
  const errors = cause.reasons.flatMap((reason) => {
    if (reason._tag === "Interrupt") return []
    return [reason._tag === "Fail" ? reason.error : reason.defect]
  })
  const redacted = errors
    .slice(0, reasonMax)
    .map((error) => Cause.makeDieReason(redactError(error)))
  return Cause.fromReasons(redacted)
}
