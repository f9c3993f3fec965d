/**
 * Generates presets in all three formats, with strings that are difficult for YAML parsers and with
 * keys and numbers that are difficult for JavaScript.
 */
import { decodeFile, type PresetFile } from "@verbatim/core/preset"
import { ExactNumber } from "@verbatim/core/schema"
import { Option, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"

const pieces = [
  ..."abZ09 \t:#-?*&!%@`|>'\"\\{}[],~=<.",
  ..."\u0007\u007f\u0085\u00a0\u200b\u2028\u202e\ufeff\ufffeé字",
  ...["\n", "\n\n", "\r\n", "\r", "  ", ": ", " #", "- ", "? ", "---", "...", "<<", "&a", "*a"],
  ...["!!str", "%YAML", "null", "yes", "on", "1e3", "0x1F", ".inf", "👩‍👩‍👧", "\u{e0041}", "word "]
] as const

const piece = Arbitrary.schema(Schema.Literals(pieces))

export const text: Arbitrary.Arbitrary<string> = Arbitrary.map(
  Arbitrary.array(piece, { maxLength: 12 }),
  (parts) => parts.join("")
)

const numbers = [
  "0",
  "-1.5",
  "1e21",
  "1e-7",
  "9223372036854775807",
  "0.1000000000000000055",
  "9007199254740993",
  "123456789012345678e-30"
]

const parse = (json: string): Schema.Json =>
  Option.getOrThrow(ExactNumber.parse(json)) as Schema.Json

const exact = Arbitrary.map(Arbitrary.schema(Schema.Literals(numbers)), (number) => {
  const [value = null] = parse(`[${number}]`) as ReadonlyArray<Schema.Json>
  return value
})

const plain = Arbitrary.schema(
  Schema.NullOr(Schema.Literals([true, false, "", "__proto__", "no", "12", "~"]))
)

const choice = Arbitrary.schema(Schema.Literals([0, 1, 2, 3, 4, 5]))

const name = Arbitrary.flatMap(choice, (kind) =>
  kind < 3
    ? Arbitrary.schema(Schema.Literals(["__proto__", "7", "12", "null", "a b", "k".repeat(1_100)]))
    : text
)

const objectOf = (value: Arbitrary.Arbitrary<Schema.Json>) =>
  Arbitrary.map(Arbitrary.array(Arbitrary.all([name, value]), { maxLength: 4 }), (members) =>
    Object.fromEntries<Schema.Json>(members)
  )

const valueOf = (depth: number): Arbitrary.Arbitrary<Schema.Json> =>
  Arbitrary.flatMap(choice, (kind): Arbitrary.Arbitrary<Schema.Json> => {
    if (kind === 0) return exact
    if (kind === 1) return plain
    if (kind === 2 || depth === 0) return text
    const inner = valueOf(depth - 1)
    return kind === 3 ? Arbitrary.array(inner, { maxLength: 3 }) : objectOf(inner)
  })

export const jsonObject: Arbitrary.Arbitrary<Schema.JsonObject> = objectOf(valueOf(3))

const formats = ["responses", "chat_completions", "messages"] as const

const toolOf = (format: (typeof formats)[number], schema: Schema.JsonObject): Schema.Json => {
  switch (format) {
    case "responses":
      return { type: "function", name: "look", parameters: schema }
    case "chat_completions":
      return { type: "function", function: { name: "look", parameters: schema } }
    case "messages":
      return { name: "look", input_schema: schema }
  }
}

const limitOf = (format: (typeof formats)[number]) =>
  format === "responses" ? { max_output_tokens: 100 } : { max_tokens: 100 }

/** Generates preset files that every store accepts. */
export const presetFile: Arbitrary.Arbitrary<PresetFile> = Arbitrary.filterMap(
  Arbitrary.all([
    Arbitrary.schema(Schema.Literals(["notes", "Notes", "a.b_c~d-e", "con", "x".repeat(255)])),
    Arbitrary.all([text, text, text]),
    Arbitrary.schema(Schema.Literals(formats)),
    Arbitrary.schema(Schema.Literals(["active", "disabled", "archived"])),
    Arbitrary.all([Arbitrary.array(jsonObject, { maxLength: 2 }), choice])
  ]),
  ([slug, [title, description, prompt], format, status, [schemas, kind]]) => {
    const tools = schemas.map((schema) => toolOf(format, { type: "object", ...schema }))
    const config = {
      ...(kind === 5 ? {} : { model: "some/model:free", temperature: 0.2 }),
      ...(kind < 3 ? limitOf(format) : {}),
      ...(tools.length === 0 ? {} : { tools })
    }
    const document = {
      slug,
      name: title === "" ? slug : title,
      description: kind === 0 ? null : description,
      status,
      format,
      system_prompt: prompt === "" ? null : prompt,
      config,
      wins: Object.keys(config).filter((_, place) => ((kind >> place) & 1) === 1)
    }
    return decodeFile(document)
  }
)
