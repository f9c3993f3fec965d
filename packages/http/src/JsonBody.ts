/**
 * Reads the body of a request as JSON. Its depth and its width are measured before it is parsed:
 * the parser takes a million nested arrays, on which the code after it would fail.
 */
import { depthMax, ExactNumber, keysMax, valuesMax } from "@verbatim/core/schema"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { BodyUnreadable, read as readText } from "./BodyText.ts"
import { parseEssence } from "./ContentType.ts"

/** Reads the value of a JSON body of at most `byteMax` bytes; its numbers keep their digits. */
export const read = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  byteMax: number
) {
  if (parseEssence(request.headers["content-type"]) !== "application/json") {
    return yield* new BodyUnreadable({ rule: "must be sent as application/json" })
  }
  const text = yield* readText(request, byteMax)
  const rule = findBrokenLimit(text)
  if (rule !== undefined) return yield* new BodyUnreadable({ rule })
  const value = ExactNumber.parse(text)
  if (Option.isNone(value)) return yield* new BodyUnreadable({ rule: "must be JSON" })
  return value.value
})

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Finds the limit that a text breaks, scanning it as JSON without building a value. */
const findBrokenLimit = (text: string): string | undefined => {
  let depth = 0
  let keys = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = findStringEnd(text, at)
    else if (code === colon) keys += 1
    else if (code === comma) values += 1
    else if (code === openArray || code === openObject) depth += 1
    else if (code === closeArray || code === closeObject) depth -= 1
    if (depth > depthMax) return `at most ${depthMax} levels of nesting`
    if (keys > keysMax) return `at most ${keysMax} keys in the whole document`
    if (values > valuesMax) return `at most ${valuesMax} values in the whole document`
  }
  return undefined
}

/** Finds the quote that ends the string which begins at `start`. */
const findStringEnd = (text: string, start: number): number => {
  let at = start
  do {
    at = text.indexOf('"', at + 1)
    if (at === -1) return text.length
  } while (isEscaped(text, at))
  return at
}

const isEscaped = (text: string, at: number): boolean => {
  let before = at - 1
  while (text.charCodeAt(before) === backslash) before -= 1
  return (at - before) % 2 === 0
}
