/**
 * What a server says about its refusal, in a form that may be kept: one line, printable, short, and
 * without the key, which some servers repeat. Pure.
 */
import { toLine } from "@verbatim/core/attempt"
import { Option, Predicate, Redacted } from "effect"
import { reading } from "../engines/pieces/Json.ts"

/** How much is read of an answer that is not JSON; pages of proxies are long. */
const rawCharacterMax = 2_000

/** The message inside an error: an object, a text, or what FastAPI calls a detail. */
const messageIn = (json: unknown): string | undefined => {
  const error = reading(json)
    .at("error")
    .or(reading(json).at("detail"))
    .or(reading(json).at("message"))
  const place = error.at(0).at("loc").entries.at(-1)?.text
  const code = error.at("code").text ?? error.at("type").text ?? place
  const message = error.text ?? error.at("message").text ?? error.at(0).at("msg").text
  if (message === undefined) return code
  return code === undefined ? message : `${code}: ${message}`
}

/** The line for a refusal. */
export const complaint = (refusal: {
  readonly status: number
  readonly body: string
  readonly key: Option.Option<Redacted.Redacted>
}): string => {
  const { body, key, status } = refusal
  const json = reading.parse(body)
  const message = Option.getOrUndefined(Option.map(json, messageIn))
  const said = Predicate.isString(message) ? message : body.slice(0, rawCharacterMax)
  const secret = Option.getOrElse(Option.map(key, Redacted.value), () => "")
  const safe = secret === "" ? said : said.replaceAll(secret, "[key]")
  return toLine(`${status} ${safe}`)
}
