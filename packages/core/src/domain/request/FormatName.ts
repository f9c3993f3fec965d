/**
 * The names of the three formats of an inference request.
 */
import { Schema } from "effect"

/** A format of an inference request, by the endpoint that takes it. */
export const FormatName = Schema.Literals(["responses", "chatCompletions", "messages"])
export type FormatName = typeof FormatName.Type

// The formats of a request as the wire spells them.

const spelt = {
  responses: "responses",
  chatCompletions: "chat_completions",
  messages: "messages"
} as const satisfies Record<FormatName, string>

/** A format as the wire spells it. */
export const WireFormat = Schema.Literals([spelt.responses, spelt.chatCompletions, spelt.messages])
export type WireFormat = typeof WireFormat.Type

/** Spells a format. */
export const toWireFormat = (format: FormatName): WireFormat => spelt[format]

/** Reads one. */
export const fromWireFormat = (format: WireFormat): FormatName =>
  format === "chat_completions" ? "chatCompletions" : format
