/**
 * Answers clients of older MCP versions, which begin with `initialize`. These versions allow a
 * server without sessions, so any process can answer any message. Messages about tools are
 * converted to the current version, because older clients can read its results.
 */
import { version } from "@verbatim/core/version"
import { Predicate } from "effect"

const currentVersion = "2026-07-28"

/** Older versions, newest first, which differ from the current version only in what they lack. */
const olderVersions = ["2025-11-25", "2025-06-18"] as const

/** The server's name, version and instructions, as clients see them. */
export const server = {
  name: "verbatim",
  version,
  instructions:
    "Transcribes recordings from links, and manages presets of model requests. Transcriptions " +
    "cost minutes: call quote_transcription first, and confirm only what the user wants. Drafts " +
    "of presets are staged; people decide which version is live."
}

/** A JSON-RPC message that has not been validated. */
export type Message = Readonly<Record<string, unknown>>

/**
 * Either the answer to a message in an older version, or the message converted to the current
 * version.
 */
export type Converted =
  | { readonly _tag: "Current"; readonly message: Message }
  | { readonly _tag: "Answer"; readonly result: object }
  | { readonly _tag: "Notification" }
  /** A call that names no tool. */
  | { readonly _tag: "Nameless" }
  | { readonly _tag: "Unknown" }

const metaKey = (name: string): string => `io.modelcontextprotocol/${name}`

const toObject = (value: unknown): Message => (Predicate.isObject(value) ? { ...value } : {})

/** Whether a message states its version, as messages in the current version do. */
export const statesVersion = ({ params }: Message): boolean =>
  Object.hasOwn(toObject(toObject(params)._meta), metaKey("protocolVersion"))

const { instructions, ...serverInfo } = server

const initialize = (params: Message) => ({
  protocolVersion:
    olderVersions.find((version) => version === params.protocolVersion) ?? olderVersions[0],
  capabilities: { tools: {} },
  serverInfo,
  instructions
})

/** Converts a message from an older version. */
export const convert = (message: Message): Converted => {
  const params = toObject(message.params)
  if (message.id === undefined || message.method === undefined) return { _tag: "Notification" }
  switch (message.method) {
    case "initialize":
      return { _tag: "Answer", result: initialize(params) }
    case "ping":
      return { _tag: "Answer", result: {} }
    case "tools/list":
    case "tools/call": {
      if (message.method === "tools/call" && typeof params.name !== "string") {
        return { _tag: "Nameless" }
      }
      const _meta = {
        ...toObject(params._meta),
        [metaKey("protocolVersion")]: currentVersion,
        [metaKey("clientCapabilities")]: {}
      }
      return { _tag: "Current", message: { ...message, params: { ...params, _meta } } }
    }
    default:
      return { _tag: "Unknown" }
  }
}

/** Builds headers that repeat parts of the message. The current version requires them. */
export const toRoutingHeaders = ({ method, params }: Message): Record<string, string> => {
  const { name } = toObject(params)
  return {
    "mcp-protocol-version": currentVersion,
    "mcp-method": String(method),
    ...(typeof name === "string" ? { "mcp-name": encodeHeader(name) } : {})
  }
}

const encodeHeader = (value: string): string =>
  `=?base64?${Buffer.from(value.toWellFormed()).toString("base64")}?=`
