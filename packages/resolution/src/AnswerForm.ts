/** Maps the answer's format (text, JSON, or JSON with a schema) and its verbosity. */
import { closeSchema } from "./ClosedSchema.ts"
import {
  type FieldMapping,
  lossOf,
  nothing,
  noWords,
  partly,
  type Surroundings,
  type Written
} from "./FieldMapping.ts"
import { isObject, type Json, type JsonObject, nonNull, objectOf, own, within } from "./Json.ts"

/** An answer format, as in a Responses request. */
interface AnswerForm {
  readonly field: string
  /** The path to the format's schema, as the preset's format writes it. */
  readonly place?: string
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
  const place = "text.format"
  return { field: "text", place, format: isObject(format) ? format : undefined, verbosity }
}

const field = "response_format"

const ofChat = (config: JsonObject): AnswerForm | undefined => {
  const format = nonNull(config, "response_format")
  const verbosity = nonNull(config, "verbosity")
  if (!isObject(format)) return verbosity === undefined ? undefined : { field, verbosity }
  const schema = own(format, "json_schema")
  const isSchema = own(format, "type") === "json_schema" && isObject(schema)
  return {
    field,
    place: "response_format.json_schema",
    verbosity,
    format: isSchema ? { type: "json_schema", ...take(schema) } : format
  }
}

const ofMessages = (config: JsonObject): AnswerForm | undefined => {
  const format = within(config, "output_config", "format")
  return isObject(format) ? { field: "output_config.format", format } : undefined
}

/** Names a schema that comes from a format without schema names. */
const named = (format: JsonObject): JsonObject =>
  own(format, "type") === "json_schema" && own(format, "name") === undefined
    ? { ...format, name: "answer" }
    : format

const inResponses = ({ field, format, verbosity }: AnswerForm): Written => {
  const lost = format === undefined || isShared(format) ? [] : [{ field, reason: noWords }]
  const text = objectOf({
    format: format !== undefined && lost.length === 0 ? named(format) : undefined,
    verbosity
  })
  return partly(Object.keys(text).length === 0 ? {} : { text }, lost)
}

/**
 * Whether the Responses format supports an answer format. Only chats support grammars and formats
 * without a schema.
 */
const isShared = (format: JsonObject): boolean => {
  const type = own(format, "type")
  if (type === "json_schema") return isObject(own(format, "schema"))
  return type === "text" || type === "json_object"
}

/** Verbosity levels that only gateways accept. */
const wordiest: ReadonlyArray<Json | undefined> = ["xhigh", "max"]

const verbosityOf = (field: string): string => (field === "text" ? "text.verbosity" : "verbosity")

/** Gateways accept no verbosity in chats, so it is left out. */
const inChat = ({ field, format, verbosity }: AnswerForm, { isGateway }: Surroundings): Written => {
  const isSchema = format !== undefined && own(format, "type") === "json_schema"
  const response_format = isSchema
    ? { type: "json_schema", json_schema: take(named(format)) }
    : format
  if (isGateway) {
    return partly(objectOf({ response_format }), lossOf(verbosityOf(field), verbosity))
  }
  const isTooMuch = wordiest.includes(verbosity)
  return partly(
    objectOf({ response_format, verbosity: isTooMuch ? "high" : verbosity }),
    isTooMuch ? [{ field: verbosityOf(field), reason: "it is high there" }] : []
  )
}

const inMessages = ({ field, format, place = field, verbosity }: AnswerForm): Written => {
  const lost = lossOf(verbosityOf(field), verbosity)
  if (format === undefined || (own(format, "type") ?? "text") === "text") return partly({}, lost)
  const schema = own(format, "schema")
  if (own(format, "type") !== "json_schema" || schema === undefined) {
    return partly({}, [...lost, ...nothing(field, "only JSON of a schema can be asked for").lost])
  }
  const closed = closeSchema(schema)
  if (closed === undefined) {
    return partly({}, [...lost, ...nothing(field, "its objects are for any properties").lost])
  }
  const changed = closed.isChanged ? [{ field: `${place}.schema`, reason: closing }] : []
  const unsupported = ["name", "description", "strict"].flatMap((name) =>
    lossOf(`${place}.${name}`, nonNull(format, name))
  )
  return partly({ output_config: { format: { type: "json_schema", schema: closed.schema } } }, [
    ...lost,
    ...unsupported,
    ...changed
  ])
}

const closing = "objects have no other properties there, and values no limits"

/** Maps the answer format and the verbosity. */
export const answerForm: FieldMapping<AnswerForm> = {
  fields: {
    responses: ["text"],
    chatCompletions: ["response_format", "verbosity"],
    messages: ["output_config"]
  },
  read: { responses: ofResponses, chatCompletions: ofChat, messages: ofMessages },
  write: { responses: inResponses, chatCompletions: inChat, messages: inMessages }
}
