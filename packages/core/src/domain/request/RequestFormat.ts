/**
 * The three formats of inference requests from which a preset can be created: the fields of the
 * body, how a preset treats each of them, and where the system prompt is. No preset keeps the
 * secrets in a request, namely MCP server tokens. Clients send the tokens again with each request,
 * under the servers' names.
 */
import { Result, Schema } from "effect"
import { makeValidator } from "../schema/DocumentValidator.ts"
import { InvalidRequest, type Problem, problemsMax } from "../schema/Problem.ts"
import { ChatCompletionsRequest, chatCompletionsTable } from "./ChatCompletionsRequest.ts"
import type { Fate, FieldTable } from "./FieldTable.ts"
import { MessagesRequest, messagesTable } from "./MessagesRequest.ts"
import { isSessionId, ResponsesRequest, responsesTable, sessionIdMax } from "./ResponsesRequest.ts"

/** A format of an inference request, named after its endpoint. */
export const FormatName = Schema.Literals(["responses", "chatCompletions", "messages"])
export type FormatName = typeof FormatName.Type

/** The name of a request format on the wire. */
export const WireFormat = Schema.Literals(["responses", "chat_completions", "messages"])
export type WireFormat = typeof WireFormat.Type

/** Returns the name of a format on the wire. */
export const toWireFormat = (format: FormatName): WireFormat =>
  format === "chatCompletions" ? "chat_completions" : format

/** Returns the format for a name on the wire. */
export const fromWireFormat = (format: WireFormat): FormatName =>
  format === "chat_completions" ? "chatCompletions" : format

/** A request body that was validated: JSON that breaks no rule. */
export type RequestBody = Schema.JsonObject

const read = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined

/**
 * Returns the text of a block; undefined if the block is not text. In Responses-style items, the
 * type of input text is `input_text`.
 */
const ofBlock = (block: unknown): unknown => {
  const type = read(block, "type")
  return type === "text" || type === "input_text" ? read(block, "text") : undefined
}

const isText = (text: unknown): text is string => typeof text === "string" && text !== ""

/**
 * Returns the texts in the content of a prompt or message, in order. Empty texts and blocks that
 * are not text are left out.
 */
export const textsOf = (content: unknown): ReadonlyArray<string> =>
  (Array.isArray(content) ? content.map(ofBlock) : [content]).filter(isText)

const isSystemMessage = (message: unknown): boolean => {
  const role = read(message, "role")
  return role === "system" || role === "developer"
}

const systemContents = (messages: unknown): ReadonlyArray<unknown> =>
  Array.isArray(messages)
    ? messages.filter(isSystemMessage).map((message) => read(message, "content"))
    : []

/** Returns the texts of the system and developer messages, in order. */
const systemTextsOf = (messages: unknown): ReadonlyArray<string> =>
  systemContents(messages).flatMap(textsOf)

/** Returns the texts of the system and developer messages at the beginning of the conversation. */
const leadingTextsOf = (items: unknown): ReadonlyArray<string> => {
  if (!Array.isArray(items)) return []
  const end = items.findIndex((item) => !isSystemMessage(item))
  return systemTextsOf(end === -1 ? items : items.slice(0, end))
}

/** Whether the content of a message has a block that is not text, such as an image. */
const hasOtherBlocks = (content: unknown): boolean =>
  Array.isArray(content) && content.some((block) => ofBlock(block) === undefined)

/** Whether a conversation has more than system and developer texts. */
const hasOtherContent = (messages: unknown): boolean =>
  !Array.isArray(messages) ||
  !messages.every(isSystemMessage) ||
  systemContents(messages).some(hasOtherBlocks)

/** Returns the content of a prompt or message as blocks. */
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
 * Returns the blocks of a system prompt, as sent; none unless a block has a field besides its text,
 * such as a cache marker.
 */
const markedBlocksOf = (body: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> => {
  const contents = [read(body, "system"), ...systemContents(read(body, "messages"))]
  const blocks = contents.flatMap(toBlocks)
  return blocks.some(isMoreThanText) ? blocks : []
}

/** A request field that can contain texts of the system prompt. */
interface SystemSource {
  readonly field: string
  readonly texts: (value: Schema.Json | undefined, body: RequestBody) => ReadonlyArray<string>
}

/**
 * A request format. A host with its own policy copies one of the three formats and replaces
 * `fields`.
 */
export interface RequestFormat {
  readonly name: FormatName
  readonly schema: Schema.ConstraintDecoder<unknown>
  readonly fields: FieldTable
  /**
   * The fields with the system prompt, in the order in which their texts are joined. A field is
   * used only if its fate is `systemPrompt`.
   */
  readonly system: ReadonlyArray<SystemSource>
  /** Returns all problems in a body, in field order. */
  readonly problems: (body: unknown) => ReadonlyArray<Problem>
}

const asSent: SystemSource["texts"] = (value) => (typeof value === "string" ? [value] : [])

/** Returns the system texts at the beginning of `input`, unless the request has `instructions`. */
const unlessInstructed: SystemSource["texts"] = (input, { instructions }) =>
  typeof instructions === "string" ? [] : leadingTextsOf(input)

type Described = Pick<RequestFormat, "name" | "fields"> & {
  readonly schema: RequestFormat["schema"] & {
    readonly schema: { readonly fields: Schema.Struct.Fields }
  }
}

/**
 * Creates a request format. The fields with the system prompt are given in the order of their
 * texts.
 */
const makeFormat = (
  { fields, name, schema }: Described,
  system: Readonly<Record<string, SystemSource["texts"]>>
): RequestFormat => ({
  name,
  schema,
  fields,
  system: Object.entries(system).map(([field, texts]) => ({ field, texts })),
  problems: makeValidator({ schema, names: Object.keys(schema.schema.fields) })
})

/** The format of request bodies for the Responses-style endpoint. */
export const responses = makeFormat(
  { name: "responses", schema: ResponsesRequest, fields: responsesTable },
  { instructions: asSent, input: unlessInstructed }
)

/** The format of request bodies for the chat-completions endpoint. */
export const chatCompletions = makeFormat(
  { name: "chatCompletions", schema: ChatCompletionsRequest, fields: chatCompletionsTable },
  { messages: systemTextsOf }
)

/** The format of request bodies for the messages endpoint. */
export const messages = makeFormat(
  { name: "messages", schema: MessagesRequest, fields: messagesTable },
  { system: textsOf, messages: systemTextsOf }
)

/** All request formats. */
export const formats = [responses, chatCompletions, messages] as const

/** Returns how a table treats a field; undefined for an unknown field. */
const fateOf = (table: FieldTable, name: string): Fate | undefined =>
  Object.hasOwn(table, name) ? table[name]?.fate : undefined

/** The parts of a request that a preset keeps. */
export interface SortedRequest {
  /** The system prompt; null if the request has none. */
  readonly systemPrompt: string | null
  readonly config: Schema.JsonObject
  /**
   * The paths of the fields that are not kept, in the order sent. Fields with null are left out.
   */
  readonly notKept: ReadonlyArray<string>
}

/** The separator between two texts of a system prompt: an empty line. */
const separator = "\n\n"

const systemPromptOf = ({ fields, system }: RequestFormat, body: RequestBody): string | null => {
  const found: Array<string> = []
  for (const { field, texts } of system) {
    if (fateOf(fields, field) !== "systemPrompt" || !Object.hasOwn(body, field)) continue
    for (const text of texts(body[field], body)) found.push(text)
  }
  return found.length === 0 ? null : joinTexts(found)
}

/** Joins the texts of a system prompt. */
export const joinTexts = (texts: ReadonlyArray<string>): string => texts.join(separator)

/**
 * Returns the blocks of the system prompt, if the format has blocks and a block has fields besides
 * its text.
 */
const blocksOf = (
  { fields, name }: RequestFormat,
  body: RequestBody
): ReadonlyArray<Schema.Json> => {
  const isRead = fateOf(fields, "messages") === "systemPrompt"
  return name === "responses" || !isRead ? [] : (markedBlocksOf(body) as ReadonlyArray<Schema.Json>)
}

/** Whether a field adds nothing to the system prompt. */
export const addsNoPrompt = (
  { system }: RequestFormat,
  { body, name }: { readonly body: RequestBody; readonly name: string }
): boolean =>
  system.every(({ field, texts }) => field !== name || texts(body[name], body).length === 0)

const conversations = new Set(["input", "messages"])

/**
 * Whether a field with a conversation contains anything that does not become part of the system
 * prompt.
 */
const isLost = (format: RequestFormat, field: Parameters<typeof addsNoPrompt>[1]): boolean => {
  const conversation = field.body[field.name]
  const isOther = systemTextsOf(conversation).length > 0 && addsNoPrompt(format, field)
  return conversations.has(field.name) && (hasOtherContent(conversation) || isOther)
}

/**
 * Sorts the fields of a valid body into those that a preset keeps, those with the system prompt,
 * and those that it drops. Values are kept as sent, without their secrets. A kept field with null
 * is dropped.
 */
export const sort = (format: RequestFormat, body: RequestBody): SortedRequest => {
  const config: Array<[name: string, value: Schema.Json]> = []
  const notKept: Array<string> = []
  for (const [name, value] of Object.entries(body)) {
    const fate = fateOf(format.fields, name) ?? "ignored"
    if (fate === "kept" && value !== null) {
      const cleaned = clean(name, value)
      config.push([name, cleaned.value])
      for (const path of cleaned.secrets) notKept.push(path)
    }
    if (fate === "ignored" || (fate === "systemPrompt" && isLost(format, { name, body }))) {
      notKept.push(name)
    }
  }
  const systemPrompt = systemPromptOf(format, body)
  const blocks = systemPrompt === null ? [] : blocksOf(format, body)
  if (blocks.length > 0) config.push(["system", blocks])
  // A key may be `__proto__`; only `fromEntries` defines it as an ordinary property.
  return { systemPrompt, config: Object.fromEntries(config), notKept }
}

/** A request as it was sent: a parsed JSON body, and headers. */
export interface SentRequest {
  readonly body: unknown
  /** The `x-session-id` header, which is used if the body has no `session_id`. */
  readonly sessionIdHeader?: string | undefined
}

const hasSession = (body: unknown): boolean =>
  typeof body === "object" && body !== null && Object.hasOwn(body, "session_id")

const headerProblems = ({ body, sessionIdHeader }: SentRequest): ReadonlyArray<Problem> =>
  sessionIdHeader === undefined || isSessionId(sessionIdHeader) || hasSession(body)
    ? []
    : [{ path: "x-session-id", rule: `at most ${sessionIdMax} characters` }]

/** Returns the body if it breaks no rule, or refuses it with all its problems. */
export const validate = (
  format: RequestFormat,
  request: SentRequest
): Result.Result<RequestBody, InvalidRequest> => {
  const problems = [...format.problems(request.body), ...headerProblems(request)]
  const [first, ...others] = problems.slice(0, problemsMax)
  // A body without problems is an object, according to the schema, and JSON, according to the
  // limits.
  return first === undefined
    ? Result.succeed(request.body as RequestBody)
    : Result.fail(new InvalidRequest({ problems: [first, ...others] }))
}

/** Decodes a request into the parts that a preset keeps, or refuses it with all its problems. */
export const decode = (
  format: RequestFormat,
  request: SentRequest
): Result.Result<SortedRequest, InvalidRequest> =>
  Result.map(validate(format, request), (body) => sort(format, body))

/** The reason why a preset does not keep a secret. */
export const secretReason = "is a secret: it belongs in each request"

/** A value without its secrets, and the paths of the secrets. */
interface Cleaned {
  readonly value: Schema.Json
  readonly secrets: ReadonlyArray<string>
}

const isObject = (value: Schema.Json | undefined): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Removes the secret members of an object, and returns their paths. */
const takeOut = (
  object: Schema.JsonObject,
  { isSecret, path }: { readonly path: string; readonly isSecret: (name: string) => boolean }
): Cleaned => {
  const names = Object.keys(object).filter((name) => isSecret(name) && object[name] !== null)
  if (names.length === 0) return { value: object, secrets: [] }
  const kept = Object.entries(object).filter(([name]) => !names.includes(name))
  return { value: Object.fromEntries(kept), secrets: names.map((name) => `${path}.${name}`) }
}

const tokens = new Set(["authorization", "authorization_token"])

const cleanServer = (server: Schema.Json, path: string): Cleaned => {
  if (!isObject(server)) return { value: server, secrets: [] }
  const bare = takeOut(server, { path, isSecret: (name) => tokens.has(name) })
  const { headers } = server
  if (!isObject(headers)) return bare
  const isSecret = (name: string) => name.toLowerCase() === "authorization"
  const cleaned = takeOut(headers, { path: `${path}.headers`, isSecret })
  if (cleaned.secrets.length === 0) return bare
  const value = { ...(bare.value as Schema.JsonObject), headers: cleaned.value }
  return { value, secrets: [...bare.secrets, ...cleaned.secrets] }
}

const isServer = (tool: Schema.Json): boolean => isObject(tool) && tool.type === "mcp"

/** Removes the tokens of MCP servers from a field. */
const clean = (name: string, value: Schema.Json): Cleaned => {
  const isListed = name === "mcp_servers" || name === "tools"
  if (!isListed || !Array.isArray(value)) return { value, secrets: [] }
  const servers: ReadonlyArray<Schema.Json> = value
  const cleaned = servers.map(
    (each, index): Cleaned =>
      name === "tools" && !isServer(each)
        ? { value: each, secrets: [] }
        : cleanServer(each, `${name}.${index}`)
  )
  const secrets = cleaned.flatMap((each) => each.secrets)
  return secrets.length === 0
    ? { value, secrets }
    : { value: cleaned.map((each) => each.value), secrets }
}
