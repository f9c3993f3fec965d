/**
 * Boundaries of the fields that are values, and of the metadata.
 */
import {
  atMostCharacters,
  atMostEmoji,
  type Boundary,
  each,
  field,
  finiteOrNull,
  flag,
  flagOrNull,
  integer,
  integerOrNull,
  large,
  notInfinity,
  object,
  objectOrNull,
  oneOfOrNull,
  pairs,
  row,
  string,
  stringOrNull,
  strings,
  text,
  wholeOrNull
} from "./Boundary.ts"

/** Boundaries of single values and lists. */
export const topLevel: ReadonlyArray<Boundary> = [
  ...each(["background", "parallel_tool_calls"], (name) => field(name, flagOrNull)),
  ...each(["frequency_penalty", "presence_penalty", "temperature", "top_p"], (name) =>
    field(name, finiteOrNull, notInfinity)
  ),
  ...each(["max_output_tokens", "top_logprobs"], (name) => field(name, integerOrNull, wholeOrNull)),
  ...each(["instructions", "prompt_cache_key", "safety_identifier"], (name) =>
    field(name, stringOrNull)
  ),
  ...field("top_k", integer, large, row(1, null, ": must be an integer")),
  ...field("model", string, row("m", null, ": must be a string")),
  ...field("models", strings, row([], null, ": must be an array")),
  ...field("stream", flag, row(false, null, ": must be a boolean")),
  ...field("store", row(false, true, ": must be false"), row(false, null, ": must be false")),
  ...field("user", string, atMostCharacters(256), atMostEmoji(256)),
  ...field("session_id", string, atMostCharacters(256), atMostEmoji(256)),
  ...field(
    "previous_response_id",
    row(null, "resp_1", ": must be null: responses are not stored"),
    row(null, "", ": must be null: responses are not stored")
  ),
  ...field(
    "max_tool_calls",
    row(30, 31, ": at most 30"),
    row(null, "30", ": must be an integer or null")
  ),
  ...field("modalities", row(["text", "image"], ["audio"], "[0]: must be text or image")),
  ...field("truncation", ...oneOfOrNull(["auto", "disabled"])),
  ...field("prompt_cache_retention", stringOrNull),
  ...field(
    "context_management",
    row(null, {}, ": must be an array or null"),
    row([{}], [1], "[0]: must be an object")
  ),
  ...field("route", ...oneOfOrNull(["fallback", "sort"])),
  ...field(
    "service_tier",
    ...oneOfOrNull(["auto", "default", "fast", "flex", "priority", "scale"])
  ),
  ...field(
    "include",
    ...[
      "file_search_call.results",
      "message.input_image.image_url",
      "computer_call_output.output.image_url",
      "reasoning.encrypted_content",
      "code_interpreter_call.outputs"
    ].map((value, _, all) => row([value], [`${value}s`], `[0]: must be one of ${all.join(", ")}`)),
    row(null, "reasoning.encrypted_content", ": must be an array or null")
  ),
  ...field(
    "input",
    row("", null, ": must be a string or an array"),
    row([{}], ["text"], "[0]: must be an object")
  ),
  ...field(
    "image_config",
    row({ size: "1024" }, { size: true }, ".size: must be a string, a number or an array"),
    row(
      { seed: 0.5, list: [null] },
      { seed: null },
      ".seed: must be a string, a number or an array"
    ),
    object
  )
]

/** Boundaries of the metadata. */
export const metadata: ReadonlyArray<Boundary> = field(
  "metadata",
  objectOrNull,
  row(pairs(16), pairs(17), ": at most 16 pairs"),
  row({ [text(64)]: "" }, { [text(65)]: "" }, ": keys at most 64 characters"),
  row({ ["😀".repeat(64)]: "" }, { ["😀".repeat(65)]: "" }, ": keys at most 64 characters"),
  row({ "a(b){c}": "" }, { "a[b": "" }, ": no brackets in keys"),
  row({ "": "" }, { "a]": "" }, ": no brackets in keys"),
  row({ a: text(512) }, { a: text(513) }, ".a: at most 512 characters"),
  row({ a: "1" }, { a: 1 }, ".a: must be a string")
)
