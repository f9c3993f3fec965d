/**
 * A cause as a log may have it: which errors caused it and where they were made, in a few words of
 * each and without what they carry. A driver's error may hold the row that it was given, and the
 * message of a parser a part of what it read.
 */
import { Cause } from "effect"
import { shorten } from "./RequestLogging.ts"

/** Links that are read. Ours have four: a store, its database, what that says, its driver. */
const linkMax = 8

/** An error and what caused it, outermost first. */
export const chainOf = (error: unknown): ReadonlyArray<object> => {
  const chain: Array<object> = []
  let link: unknown = error
  while (typeof link === "object" && link !== null && chain.length < linkMax) {
    chain.push(link)
    link = Reflect.get(link, "cause")
  }
  return chain
}

/** Errors side by side that are redacted of: a request has one, or two where it was also cleaned up. */
const reasonMax = 2

/** Frames of the first error, which tells what was asked, and of the last, where it began. */
const firstFrameMax = 4
const lastFrameMax = 12

/** A text or a number that an error has under that name. */
export const textOf = (error: object, name: string): string => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

/** Where an error was made, frame by frame. Its message stands before, and may look the same. */
export const framesOf = (error: object): ReadonlyArray<string> => {
  const message = textOf(error, "message")
  const stack = textOf(error, "stack")
  const at = stack.indexOf(message)
  return stack.slice(at === -1 ? 0 : at + message.length).match(/\n[ \t]+at .*/g) ?? []
}

/** From the first quote to the last: what is quoted may have quotes in it. */
const quoted = /["'`][\s\S]*["'`]/g

/** A URL. Its scheme has an end: looking for one at each letter takes seconds in a long text. */
const url = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)(\S*)/gi

/** What stands before the path, without who is signed in. */
const authority = /^(?:[^/?#]*@)?([^/?#]*)/

/**
 * Of a URL only its host is redacted: a path may hold a token as well as a query. An `@` behind the
 * first slash may end a password with a slash in it: then what looks like a host is no host.
 */
const redactURL = (_: string, scheme: string, rest: string): string => {
  const [whole = "", host = ""] = authority.exec(rest) ?? []
  const isDoubtful = host.includes(":") && !whole.includes("@") && rest.includes("@")
  return `${scheme}${isDoubtful ? "" : host}/…`
}

/** As long as the shortest of our keys, and as tokens of others are. */
const token = /[A-Za-z0-9+/=_~-]{32,}/g

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What an error says, without what it may have been given. */
export const withoutContent = (message: string): string => {
  const plain = String(message)
    .replace(quoted, "…")
    .replace(url, redactURL)
    .replace(token, (found) => (uuid.test(found) ? found : "…"))
  return shorten(plain)
}

/** What a schema says of a value: what it expected is ours to tell, and what it got is not. */
const expected = /^Expected [^\n]*?(?=, got |\n|$)/

const redactSchemaMessage = (message: string): string => {
  const [found] = expected.exec(message) ?? []
  return found === undefined ? "what was read is not of its schema" : shorten(found)
}

/** The words of an error. */
export const messageOf = (error: object): string => {
  const message = textOf(error, "message")
  return textOf(error, "_tag") === "SchemaError"
    ? redactSchemaMessage(message)
    : withoutContent(message)
}

interface Link {
  readonly error: object
  readonly frameMax: number
  readonly cause: Error | undefined
}

/** An error with the name, the words and the place of another one, and nothing else of it. */
const redactLink = ({ cause, error, frameMax }: Link): Error => {
  const redacted = new Error(messageOf(error), cause === undefined ? {} : { cause })
  const code = ["code", "errcode"].map((name) => textOf(error, name)).find((each) => each !== "")
  const name = textOf(error, "name") || "Error"
  const frames = framesOf(error)
    .slice(0, frameMax)
    .map((frame) => `\n    ${shorten(frame).trim()}`)
  redacted.name = withoutContent(code === undefined ? name : `${name} (${code})`)
  redacted.stack = `${redacted.name}: ${redacted.message}${frames.join("")}`
  return redacted
}

const redactError = (error: unknown): Error => {
  const chain = chainOf(error)
  const redacted = chain.reduceRight<Error | undefined>((cause, link, index) => {
    const isLast = index === chain.length - 1
    const frameMax = isLast ? lastFrameMax : index === 0 ? firstFrameMax : 0
    return redactLink({ error: link, frameMax, cause })
  }, undefined)
  return redacted ?? new Error(withoutContent(String(error)))
}

/** The cause to log in place of one that may hold anything. */
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
