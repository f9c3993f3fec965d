/**
 * The conversation of a request, as far as a preset reads it: the text of its system and developer
 * messages becomes the system prompt.
 */
import { Schema } from "effect"
import { JsonObject, openStruct, optional } from "../schema/Shape.ts"

/** A message of any role. Its content is read only where it belongs to the system prompt. */
const Message = openStruct({
  role: Schema.String.annotate({ description: "Who speaks, for example `user` or `system`." }),
  content: optional(
    Schema.Union([Schema.String, Schema.Array(JsonObject), Schema.Null]),
    "Text, or blocks."
  )
}).annotate({ identifier: "Message" })

/** The conversation. */
export const Messages = Schema.Array(Message)

/** A block of text. */
const TextBlock = openStruct({
  type: Schema.Literal("text"),
  text: Schema.String
}).annotate({ identifier: "TextBlock" })

/** A system prompt beside the conversation: text, or blocks of it. */
export const System = Schema.Union([Schema.String, Schema.Array(TextBlock)])

const read = (value: unknown, key: "role" | "content" | "type" | "text"): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined

const ofBlock = (block: unknown): unknown =>
  read(block, "type") === "text" ? read(block, "text") : undefined

const isText = (text: unknown): text is string => typeof text === "string" && text !== ""

/** The texts of a content, in order. Blocks that are not text do not count, nor does empty text. */
export const textsOf = (content: unknown): ReadonlyArray<string> =>
  (Array.isArray(content) ? content.map(ofBlock) : [content]).filter(isText)

const speaksForSystem = (message: unknown): boolean => {
  const role = read(message, "role")
  return role === "system" || role === "developer"
}

/** The texts of the system and developer messages, in the order of the conversation. */
export const systemTextsOf = (messages: unknown): ReadonlyArray<string> =>
  Array.isArray(messages)
    ? messages.filter(speaksForSystem).flatMap((message) => textsOf(read(message, "content")))
    : []
