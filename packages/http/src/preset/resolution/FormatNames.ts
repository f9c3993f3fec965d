/**
 * The formats of a request as the wire spells them.
 */
import type { FormatName } from "@verbatim/core/request"
import { Schema } from "effect"

const spelt = {
  responses: "responses",
  chatCompletions: "chat_completions",
  messages: "messages"
} as const satisfies Record<FormatName, string>

type WireFormat = (typeof spelt)[FormatName]

/** A format as the wire spells it. */
export const WireFormat = Schema.Literals([spelt.responses, spelt.chatCompletions, spelt.messages])

/** Spells a format. */
export const toWireFormat = (format: FormatName): WireFormat => spelt[format]

/** Reads one. */
export const fromWireFormat = (format: WireFormat): FormatName =>
  format === "chat_completions" ? "chatCompletions" : format
