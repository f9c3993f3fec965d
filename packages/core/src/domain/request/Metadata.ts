/**
 * Pairs of text that travel with a request. A preset does not keep them, but their limits hold.
 */
import { Schema } from "effect"
import * as Rule from "../schema/Rule.ts"

/** Most pairs. */
const metadataPairsMax = 16
/** Longest key, in characters. */
const metadataKeyMax = 64
/** Longest value, in characters. */
const metadataValueMax = 512

const Value = Schema.String.check(Rule.charactersAtMost(metadataValueMax))

const limits = [
  Rule.propertiesAtMost(metadataPairsMax, "pairs"),
  Rule.plainKeysAtMost(metadataKeyMax)
] as const

/** Text by text. */
export const Metadata = Schema.Record(Schema.String, Value)
  .check(...limits)
  .annotate({ identifier: "Metadata" })

/** The same for a messages request, whose `user_id` may be null. */
export const MessagesMetadata = Schema.Record(Schema.String, Schema.NullOr(Value))
  .check(...limits)
  .annotate({ identifier: "MessagesMetadata" })
