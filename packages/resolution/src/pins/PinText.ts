/**
 * What references meant, as a text for the next process. Its instants are those of the clock on the
 * wall: no other one goes on from process to process.
 */
import { parseExact } from "../ExactJson.ts"
import { formats } from "../Format.ts"
import { isObject, type Json, type JsonObject, own } from "../Json.ts"
import type { Version } from "../Resolution.ts"
import type { Moment } from "./Moment.ts"
import { ageOf, type Pin, type PinnedVersion } from "./Pin.ts"

/** What a text begins with; another one is none of ours. */
const kind = "verbatim pins 1"

/** Writes pins. Each version is written once. */
export const writePins = (
  pins: Iterable<readonly [reference: string, pin: Pin]>,
  now: Moment
): string => {
  const versions = new Map<string, PinnedVersion>()
  const written: Array<object> = []
  for (const [reference, pin] of pins) {
    const { pinned } = pin
    versions.set(pinned.versionId, pinned)
    const askedAt = Math.floor(now.wallMillis - ageOf(pin, now))
    written.push({ reference, versionId: pinned.versionId, askedAt })
  }
  return JSON.stringify({ kind, versions: [...versions.values()], pins: written })
}

const listOf = (value: Json | undefined): ReadonlyArray<Json> => {
  if (Array.isArray(value)) return value
  throw new TypeError("a list is missing")
}

const objectIn = (value: Json | undefined): JsonObject => {
  if (isObject(value)) return value
  throw new TypeError("an object is missing")
}

const textIn = (object: JsonObject, name: string): string => {
  const value = own(object, name)
  if (typeof value === "string") return value
  throw new TypeError(`${name} is no text`)
}

const numberIn = (object: JsonObject, name: string): number => {
  const value = own(object, name)
  if (typeof value === "number") return value
  throw new TypeError(`${name} is no number`)
}

/** Reads a version from JSON; throws for anything else. */
const readVersion = (value: Json | undefined): Version => {
  const object = objectIn(value)
  return {
    version: numberIn(object, "version"),
    format: formats.find((format) => format === own(object, "format")) ?? null,
    systemPrompt: own(object, "systemPrompt") === null ? null : textIn(object, "systemPrompt"),
    config: objectIn(own(object, "config"))
  }
}

const readPinned = (value: Json): PinnedVersion => {
  const object = objectIn(value)
  return {
    slug: textIn(object, "slug"),
    versionId: textIn(object, "versionId"),
    version: readVersion(own(object, "version"))
  }
}

/**
 * Reads pins; throws for a text that is not whole. The age of those of an instant that is still to
 * come is below 0: the clock was set since then, and how old they are nobody knows.
 */
export const readPins = (
  text: string,
  now: Moment
): ReadonlyArray<readonly [reference: string, pin: Pin]> => {
  const read = objectIn(parseExact(text))
  if (own(read, "kind") !== kind) throw new TypeError(`it is none of "${kind}"`)
  const versions = new Map(
    listOf(own(read, "versions")).map((value) => {
      const pinned = readPinned(value)
      return [pinned.versionId, pinned]
    })
  )
  return listOf(own(read, "pins")).map((value) => {
    const object = objectIn(value)
    const pinned = versions.get(textIn(object, "versionId"))
    if (pinned === undefined) throw new TypeError("a version is missing")
    const olderByMillis = now.wallMillis - numberIn(object, "askedAt")
    const pin: Pin = { pinned, askedAt: now, olderByMillis, isLeft: true }
    return [textIn(object, "reference"), pin] as const
  })
}
