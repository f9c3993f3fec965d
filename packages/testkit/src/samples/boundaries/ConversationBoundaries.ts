/**
 * Boundaries of what chat-completions and messages bodies share beyond the Responses style: the
 * conversation. These bodies are whole; all others need one beside them.
 */
import { type Boundary, field, row } from "./Boundary.ts"

/** Boundaries of a message that becomes part of the system prompt. */
const systemMessage = (role: string) => [
  row([{ role, content: "" }], [{ role }], "[0].content: required"),
  row(
    [{ role, content: [] }],
    [{ role, content: null }],
    "[0].content: must be a string or an array"
  ),
  row(
    [{ role, content: [{ type: "text", text: "", cache_control: null }] }],
    [{ role, content: [{ type: "text", text: 1 }] }],
    "[0].content[0].text: must be a string"
  ),
  row(
    [{ role: "user", content: [{ type: "image_url" }] }],
    [{ role, content: [{ type: "image_url", text: "" }] }],
    "[0].content[0].type: must be text"
  )
]

/** Boundaries of the messages. */
export const conversations: ReadonlyArray<Boundary> = [
  { accepted: { messages: [] }, refused: {}, problem: "messages: required" },
  ...field(
    "messages",
    row([], null, ": must be an array"),
    row([], "Hello", ": must be an array"),
    row([{ role: "user" }], ["Hello"], "[0]: must be an object"),
    row([{ role: "user", content: null }], [{ content: null }], "[0].role: required"),
    row([{ role: "anything" }], [{ role: null }], "[0].role: must be a string"),
    row(
      [{ role: "user", content: "" }],
      [{ role: "user", content: {} }],
      "[0].content: must be a string, an array or null"
    ),
    row(
      [{ role: "user", content: [{ later: 1 }] }],
      [{ role: "user", content: ["Hello"] }],
      "[0].content[0]: must be an object"
    ),
    ...["system", "developer"].flatMap(systemMessage)
  )
]
