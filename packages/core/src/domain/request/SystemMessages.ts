/**
 * The parts of a request's messages that a preset reads. System and developer messages contain only
 * text.
 */
import { Schema } from "effect"
import { JsonObject, openStruct, optional, otherThan } from "../schema/ObjectSchemas.ts"

const TextBlock = openStruct({
  type: Schema.Literal("text"),
  text: Schema.String
}).annotate({ identifier: "TextBlock" })

/** The content of a system message: text or blocks of text, and nothing else. */
const SystemText = Schema.Union([Schema.String, Schema.Array(TextBlock)])

const makeSystemMessage = <const Role extends string>(role: Role) =>
  openStruct({
    role: Schema.Literal(role),
    content: SystemText.annotate({ description: "Text, or blocks of text." })
  })

/** A message with any other role. Its content is not validated. */
const OtherMessage = openStruct({
  role: otherThan(["system", "developer"]).annotate({
    description: "The role of the speaker, for example `user` or `assistant`."
  }),
  content: optional(
    Schema.Union([Schema.String, Schema.Array(JsonObject), Schema.Null]),
    "Text, or blocks."
  )
})

const Message = Schema.Union([
  makeSystemMessage("system"),
  makeSystemMessage("developer"),
  OtherMessage
]).annotate({ identifier: "Message" })

/** The messages of a conversation, in order. */
export const Messages = Schema.Array(Message)

/** A system prompt outside the conversation: text, or blocks of text. */
export const System = SystemText
