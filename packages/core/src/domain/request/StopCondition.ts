/**
 * When the loop of server tools ends: any one condition that holds ends it.
 */
import { Schema } from "effect"
import { Integer } from "../schema/Integer.ts"
import { openStruct } from "../schema/Shape.ts"

/** One reason to end the loop, selected by `type`. */
export const StopCondition = Schema.Union([
  openStruct({ type: Schema.Literal("step_count_is"), step_count: Integer }),
  openStruct({ type: Schema.Literal("has_tool_call"), tool_name: Schema.String }),
  openStruct({ type: Schema.Literal("max_tokens_used"), max_tokens: Integer }),
  openStruct({ type: Schema.Literal("max_cost"), max_cost_in_dollars: Schema.Finite }),
  openStruct({ type: Schema.Literal("finish_reason_is"), reason: Schema.String })
]).annotate({ identifier: "StopCondition" })
