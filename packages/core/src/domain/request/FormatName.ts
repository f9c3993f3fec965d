/**
 * The names of the three formats of an inference request.
 */
import { Schema } from "effect"

/** A format of an inference request, by the endpoint that takes it. */
export const FormatName = Schema.Literals(["responses", "chatCompletions", "messages"])
export type FormatName = typeof FormatName.Type
