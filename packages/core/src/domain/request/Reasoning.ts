/**
 * How much a model thinks before it answers, and what of that is shown.
 */
import { Schema } from "effect"
import { Integer } from "../schema/Integer.ts"
import { openStruct, optional } from "../schema/Shape.ts"

/** How much a model reasons, from most to nothing; null leaves it to the model. */
export const EffortOrNull = Schema.NullOr(
  Schema.Literals(["max", "xhigh", "high", "medium", "low", "minimal", "none"])
)

/** Settings of reasoning. */
export const Reasoning = openStruct({
  enabled: optional(Schema.NullOr(Schema.Boolean), "Whether the model reasons."),
  max_tokens: optional(Schema.NullOr(Integer), "Most tokens of reasoning."),
  effort: optional(EffortOrNull, "How much the model reasons."),
  summary: optional(
    Schema.NullOr(Schema.Literals(["auto", "concise", "detailed"])),
    "How the reasoning is summed up."
  ),
  context: optional(
    Schema.NullOr(Schema.Literals(["auto", "all_turns", "current_turn"])),
    "Which reasoning of earlier turns the model sees."
  ),
  mode: optional(Schema.NullOr(Schema.Literals(["standard", "pro"])), "The kind of reasoning.")
}).annotate({ identifier: "Reasoning" })
