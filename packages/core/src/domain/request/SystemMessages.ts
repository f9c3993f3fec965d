/**
 * The conversation of a request, as far as a preset reads it: the text of its system and developer
 * messages becomes the system prompt.
 */
import { Schema } from "effect"
import { JsonObject, openStruct, optional } from "../schema/Shape.ts"

/** A block of text. */
const TextBlock = openStruct({
  type: Schema.Literal("text"),
  text: Schema.String
}).annotate({ identifier: "TextBlock" })

/** Text, or blocks of it, of which a system prompt is made: nothing else may stand in one. */
const SystemText = Schema.Union([Schema.String, Schema.Array(TextBlock)])

const makeSystemMessage = <const Role extends string>(role: Role) =>
  openStruct({
    role: Schema.Literal(role),
    content: SystemText.annotate({ description: "Text, or blocks of text." })
  })

const isReserved = (role: string): boolean => role === "system" || role === "developer"

/** A message of any other role. Its content is not looked into. */
const OtherMessage = openStruct({
  role: Schema.String.check(
    Schema.makeFilter((role: string) => !isReserved(role), {
      toJsonSchema: () => ({ not: { enum: ["system", "developer"] } })
    })
  ).annotate({ description: "Who speaks, for example `user` or `assistant`." }),
  content: optional(
    Schema.Union([Schema.String, Schema.Array(JsonObject), Schema.Null]),
    "Text, or blocks."
  )
})

/** A message of any role. */
const Message = Schema.Union([
  makeSystemMessage("system"),
  makeSystemMessage("developer"),
  OtherMessage
]).annotate({ identifier: "Message" })

/** The conversation. */
export const Messages = Schema.Array(Message)

/** A system prompt beside the conversation: text, or blocks of it. */
export const System = SystemText

const read = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined

/** Responses-style items call text that goes in `input_text`. */
const ofBlock = (block: unknown): unknown => {
  const type = read(block, "type")
  return type === "text" || type === "input_text" ? read(block, "text") : undefined
}

const isText = (text: unknown): text is string => typeof text === "string" && text !== ""

/** The texts of a content, in order. Blocks that are not text do not count, nor does empty text. */
export const textsOf = (content: unknown): ReadonlyArray<string> =>
  (Array.isArray(content) ? content.map(ofBlock) : [content]).filter(isText)

const speaksForSystem = (message: unknown): boolean => {
  const role = read(message, "role")
  return role === "system" || role === "developer"
}

const systemContents = (messages: unknown): ReadonlyArray<unknown> =>
  Array.isArray(messages)
    ? messages.filter(speaksForSystem).map((message) => read(message, "content"))
    : []

/** The texts of the system and developer messages, in the order of the conversation. */
export const systemTextsOf = (messages: unknown): ReadonlyArray<string> =>
  systemContents(messages).flatMap(textsOf)

/** The same of the messages that begin the conversation. */
export const leadingTextsOf = (items: unknown): ReadonlyArray<string> => {
  if (!Array.isArray(items)) return []
  const end = items.findIndex((item) => !speaksForSystem(item))
  return systemTextsOf(end === -1 ? items : items.slice(0, end))
}

/** Whether a content has a block that is no text, such as an image. */
const hasOtherBlocks = (content: unknown): boolean =>
  Array.isArray(content) && content.some((block) => ofBlock(block) === undefined)

/** Whether a conversation has anything but the texts of system and developer messages. */
export const hasOthers = (messages: unknown): boolean =>
  !Array.isArray(messages) ||
  !messages.every(speaksForSystem) ||
  systemContents(messages).some(hasOtherBlocks)

/** A content as blocks of text. */
const toBlocks = (content: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(content)) return content
  return isText(content) ? [{ type: "text", text: content }] : []
}

const isMoreThanText = (block: unknown): boolean =>
  typeof block === "object" &&
  block !== null &&
  Object.entries(block).some(
    ([name, value]) => name !== "type" && name !== "text" && value !== null
  )

/**
 * The blocks of a system prompt, as sent; none where no block has more than its text, such as a
 * mark of what is cached.
 */
export const markedBlocksOf = (body: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> => {
  const contents = [read(body, "system"), ...systemContents(read(body, "messages"))]
  const blocks = contents.flatMap(toBlocks)
  return blocks.some(isMoreThanText) ? blocks : []
}
