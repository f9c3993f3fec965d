/**
 * The form of the answer: plain text, some JSON, or JSON of a schema, and how wordy it is.
 */
import { type Idea, type Lost, nothing, noWords, partly, type Said, whole } from "./Idea.ts"
import { isObject, type Json, type JsonObject, objectOf, own, said, within } from "./Json.ts"

/** A form, in the words of a Responses-style request. */
interface AnswerForm {
  readonly field: string
  readonly format?: JsonObject | undefined
  readonly verbosity?: Json | undefined
}

const schemaMembers = ["name", "description", "schema", "strict"] as const

const take = (object: JsonObject): JsonObject =>
  objectOf(Object.fromEntries(schemaMembers.map((name) => [name, own(object, name)])))

const ofResponses = (config: JsonObject): AnswerForm | undefined => {
  const format = within(config, "text", "format")
  const verbosity = within(config, "text", "verbosity") ?? undefined
  if (!isObject(format) && verbosity === undefined) return undefined
  return { field: "text", format: isObject(format) ? format : undefined, verbosity }
}

const ofChat = (config: JsonObject): AnswerForm | undefined => {
  const format = said(config, "response_format")
  if (!isObject(format)) return undefined
  const schema = own(format, "json_schema")
  const isSchema = own(format, "type") === "json_schema" && isObject(schema)
  return {
    field: "response_format",
    format: isSchema ? { type: "json_schema", ...take(schema) } : format
  }
}

const ofMessages = (config: JsonObject): AnswerForm | undefined => {
  const format = within(config, "output_config", "format")
  return isObject(format) ? { field: "output_config.format", format } : undefined
}

/** A schema needs a name where it came from a format without names. */
const named = (format: JsonObject): JsonObject =>
  own(format, "type") === "json_schema" && own(format, "name") === undefined
    ? { ...format, name: "answer" }
    : format

const inResponses = ({ field, format, verbosity }: AnswerForm): Said => {
  const lost = format === undefined || isShared(format) ? [] : [{ field, reason: noWords }]
  const text = objectOf({
    format: format !== undefined && lost.length === 0 ? named(format) : undefined,
    verbosity
  })
  return partly(Object.keys(text).length === 0 ? {} : { text }, lost)
}

/** Whether both formats of OpenAI have it: grammars, and forms without a schema, are a chat's. */
const isShared = (format: JsonObject): boolean => {
  const type = own(format, "type")
  if (type === "json_schema") return isObject(own(format, "schema"))
  return type === "text" || type === "json_object"
}

const inChat = ({ format, verbosity }: AnswerForm): Said => {
  const isSchema = format !== undefined && own(format, "type") === "json_schema"
  const chosen = isSchema ? { type: "json_schema", json_schema: take(named(format)) } : format
  return whole(objectOf({ response_format: chosen, verbosity }))
}

const plain = new Set<Json | undefined>(["text", undefined])

const inMessages = ({ field, format, verbosity }: AnswerForm): Said => {
  const lost: ReadonlyArray<Lost> =
    verbosity === undefined ? [] : [{ field: `${field}.verbosity`, reason: noWords }]
  if (format === undefined || plain.has(own(format, "type"))) return partly({}, lost)
  const schema = own(format, "schema")
  if (own(format, "type") !== "json_schema" || schema === undefined) {
    return partly({}, [...lost, ...nothing(field, "only JSON of a schema can be asked for").lost])
  }
  return partly({ output_config: { format: { type: "json_schema", schema } } }, lost)
}

/** The form of the answer. */
export const answerForm: Idea<AnswerForm> = {
  fields: {
    responses: ["text"],
    chatCompletions: ["response_format"],
    messages: ["output_config"]
  },
  read: { responses: ofResponses, chatCompletions: ofChat, messages: ofMessages },
  say: { responses: inResponses, chatCompletions: inChat, messages: inMessages }
}
