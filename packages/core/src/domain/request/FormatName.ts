/**
 * The names of the three formats of an inference request.
 */
import { Schema } from "effect"

/** A format of an inference request, named after its endpoint. */
export const FormatName = Schema.Literals(["responses", "chatCompletions", "messages"])
export type FormatName = typeof FormatName.Type

// The names of the formats on the wire.

/** A format on the wire. */
export const WireFormat = Schema.Literals(["responses", "chat_completions", "messages"])
export type WireFormat = typeof WireFormat.Type

/** Returns the name of a format on the wire. */
export const toWireFormat = (format: FormatName): WireFormat =>
  format === "chatCompletions" ? "chat_completions" : format

/** Returns the format for a name on the wire. */
export const fromWireFormat = (format: WireFormat): FormatName =>
  format === "chat_completions" ? "chatCompletions" : format
