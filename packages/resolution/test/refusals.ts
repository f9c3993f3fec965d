/**
 * Presets and requests that endpoints accept separately, but would reject in combination or in
 * another format.
 */
import type { JsonObject } from "#src/index"
import type { Row } from "./translations.ts"

const thinking = { type: "enabled", budget_tokens: 8000 }
const adaptive = { type: "adaptive" }

const closed = (properties: JsonObject) => ({
  type: "object",
  properties,
  additionalProperties: false
})

/** Invalid combinations of fields in messages requests, which no preset may cause. */
export const refusals: ReadonlyArray<Row> = [
  {
    title: "leaves out the temperature if the preset turns thinking on",
    from: "responses",
    to: "messages",
    config: { temperature: 0.2, top_p: 0.5, reasoning: { effort: "low" } },
    expected: { thinking: adaptive, output_config: { effort: "low" } },
    leftOut: ["temperature", "top_p"]
  },
  {
    title: "limits thinking to half of the request's token limit",
    from: "messages",
    to: "messages",
    config: { thinking },
    request: { max_tokens: 4000 },
    expected: { thinking: { type: "enabled", budget_tokens: 2000 }, max_tokens: 4000 },
    leftOut: ["thinking"]
  },
  {
    title: "raises the preset's token limit by the request's thinking budget",
    from: "messages",
    to: "messages",
    config: { max_tokens: 500 },
    request: { thinking },
    expected: { max_tokens: 8500, thinking },
    leftOut: ["max_tokens"]
  },
  {
    title: "closes the objects of a schema, and drops limits on values",
    from: "responses",
    to: "messages",
    config: {
      text: {
        format: {
          type: "json_schema",
          name: "n",
          schema: {
            type: "object",
            properties: { list: { type: "array", items: { type: "integer", minimum: 1 } } }
          }
        }
      }
    },
    expected: {
      output_config: {
        format: {
          type: "json_schema",
          schema: closed({ list: { type: "array", items: { type: "integer" } } })
        }
      }
    },
    leftOut: ["text.format.name", "text.format.schema"]
  }
]
