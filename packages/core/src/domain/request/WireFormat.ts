/**
 * The formats of a request as the wire spells them.
 */
import { Schema } from "effect"
import type { FormatName } from "./FormatName.ts"

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
