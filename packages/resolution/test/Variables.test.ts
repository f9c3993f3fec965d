/**
 * Tests a prompt's variables against a second parser, which reads the text character by character.
 */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import {
  type Format,
  formats,
  type JsonObject,
  parseExact,
  parseReference,
  takeReference,
  variablesOf
} from "#src/index"
import { resolve as lay, type Version } from "#src/Resolution"
import { fill, placesIn } from "#src/Variables"

/** Part of a prompt: literal text or a variable. */
type Part = { readonly text: string } | { readonly name: string; readonly whole: string }

const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/** Returns the index of the first character that is not one of the given characters. */
const pastAll = (text: string, start: number, characters: string): number => {
  let end = start
  while (end < text.length && characters.includes(text.charAt(end))) end += 1
  return end
}

const readVariable = (text: string, start: number) => {
  if (!text.startsWith("{{", start)) return undefined
  const from = pastAll(text, start + 2, " ")
  const to = pastAll(text, from, nameCharacters)
  const close = pastAll(text, to, " ")
  if (to === from || to - from > 64 || !text.startsWith("}}", close)) return undefined
  return { name: text.slice(from, to), whole: text.slice(start, close + 2) }
}

/** Parses a prompt; shares no code with the tested parser. */
const partsOf = (text: string): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let place = 0
  while (place < text.length) {
    const found = readVariable(text, place)
    parts.push(found ?? { text: text.charAt(place) })
    place += found === undefined ? 1 : found.whole.length
  }
  return parts
}

const pieces = ["{", "}", "{{", "}}", " ", "a", "b1", "_", "é", "$&", "\n", "{{a}}", "{{ b1 }}"]

const text = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Literals(pieces)), { maxLength: 20 }),
  (all) => all.join("")
)

const name = Arbitrary.schema(Schema.Literals(["a", "b1", "_", "ab1", "__proto__", "other"]))

const value = Arbitrary.map(
  Arbitrary.all([text, Arbitrary.schema(Schema.Literals([0, 1, 2, 3]))]),
  ([each, kind]) => (kind === 0 ? null : each)
)

const values = Arbitrary.map(
  Arbitrary.array(Arbitrary.all([name, value]), {
    maxLength: 6
  }),
  (entries): JsonObject => Object.fromEntries(entries)
)

const namesIn = (prompt: string) =>
  partsOf(prompt).flatMap((part) => ("name" in part ? [part.name] : []))

describe("a prompt", () => {
  it.prop("lists its variables in order", [text], ([prompt]) => {
    const places = [...placesIn(prompt)].flatMap(([name, count]) => Array(count).fill(name))
    assert.deepStrictEqual(places.toSorted(), namesIn(prompt).toSorted())
    assert.deepStrictEqual(variablesOf(prompt), [...new Set(namesIn(prompt))])
  })

  it("accepts variable names of up to 64 characters, with spaces around them", () => {
    const long = "n".repeat(64)
    assert.deepStrictEqual(variablesOf(`{{${long}}} {{${long}n}} {{  a }} {{{b}}} {{\tc}} {{}}`), [
      long,
      "a",
      "b"
    ])
    assert.deepStrictEqual(variablesOf(null), [])
  })

  it.prop(
    "is filled with the request's values, or stays unchanged if a variable has no value",
    [text, values],
    ([prompt, given]) => {
      const parts = partsOf(prompt)
      const textOf = (name: string) => {
        const value = Object.hasOwn(given, name) ? given[name] : undefined
        return typeof value === "string" ? value : undefined
      }
      const missing = variablesOf(prompt).filter((name) => textOf(name) === undefined)
      const filled = fill(prompt, { places: placesIn(prompt), values: given })
      const rule = `must have a text for ${missing.join(", ")}`
      assert.strictEqual(filled.unfilled, missing.length === 0 ? undefined : rule)
      const written = parts.map((part) => ("name" in part ? textOf(part.name) : part.text)).join("")
      assert.strictEqual(filled.content, missing.length === 0 ? written : prompt)
      assert.deepStrictEqual(
        filled.lost.map(({ field }) => field),
        Object.keys(given)
          .filter((name) => !namesIn(prompt).includes(name))
          .map((name) => `variables.${name}`)
      )
    }
  )

  it.prop(
    "is filled block by block if it has blocks, and stays unchanged without variables",
    [Arbitrary.array(text, { maxLength: 3 })],
    ([texts]) => {
      const mark = { cache_control: { type: "ephemeral", note: "{{a}}" } }
      const blocks = texts.map((each) => ({ type: "text", text: each, ...mark }))
      const places = placesIn(texts.join("\n\n"))
      const given = { a: "{{b1}}", b1: "$&{{a}}", _: "", ab1: "1", b1a: "2" }
      const { content, unfilled } = fill(blocks, { places, values: { ...given } })
      if (places.size === 0) assert.strictEqual(content, blocks)
      if (unfilled !== undefined) return
      assert.deepStrictEqual(
        content,
        blocks.map((block) => ({
          ...block,
          text: fill(block.text, { places: placesIn(block.text), values: given }).content
        }))
      )
    }
  )
})

describe("a request for a prompt that has variables", () => {
  const version: Version = {
    ...{ version: 1, format: "messages", systemPrompt: "Dear {{name}},\n\nbe brief." },
    config: {
      system: [
        { type: "text", text: "Dear {{name}},", cache_control: { type: "ephemeral" } },
        { type: "text", text: "be brief." }
      ]
    }
  }
  const variables = { name: "Ann" }
  const resolve = (request: JsonObject, format: Format) => lay(version, request, format)

  it("fills the variables in every format", () => {
    assert.deepStrictEqual(resolve({ variables, messages: [] }, "messages").request, {
      messages: [],
      system: [
        { type: "text", text: "Dear Ann,", cache_control: { type: "ephemeral" } },
        { type: "text", text: "be brief." }
      ]
    })
    const content = "Dear Ann,\n\nbe brief."
    assert.deepStrictEqual(resolve({ variables, messages: [] }, "chatCompletions").request, {
      messages: [{ role: "system", content }]
    })
    assert.deepStrictEqual(resolve({ variables }, "responses").request, { instructions: content })
    // The version itself still contains the variables.
    const again = resolve({ variables: { name: "Bo" } }, "responses").request
    assert.strictEqual(again.instructions, "Dear Bo,\n\nbe brief.")
  })

  it("keeps its own prompt, and reports values that no variable uses", () => {
    const own = { messages: [{ role: "system", content: "{{name}}" }] }
    const { leftOut, request, unfilled } = resolve({ ...own, variables }, "chatCompletions")
    assert.deepStrictEqual(request, own)
    assert.strictEqual(unfilled, undefined)
    assert.deepStrictEqual(
      leftOut.map(({ field }) => field),
      ["variables.name"]
    )
  })

  it("never sends the field `variables` to the provider", () => {
    for (const format of formats) {
      for (const given of [variables, null, {}, 5]) {
        assert.notProperty(resolve({ variables: given }, format).request, "variables")
      }
    }
  })
})

describe("a prompt in OpenAI's form", () => {
  it("names a preset, unless OpenAI stores the prompt or it has no id", () => {
    const prompt = { id: "notes", version: "3", variables: { a: "1", b: "2" } }
    assert.deepStrictEqual(takeReference({ prompt, variables: { b: "3" }, input: "Hi" }), {
      preset: "notes@3",
      request: { input: "Hi", variables: { a: "1", b: "3" } }
    })
    assert.deepStrictEqual(takeReference({ prompt: { id: "@preset/notes", version: "live" } }), {
      preset: "notes@live",
      request: {}
    })
    for (const other of [null, "notes", {}, { id: 3 }, { id: "pmpt_1", version: "3" }, ["notes"]]) {
      assert.strictEqual(takeReference({ prompt: other }), "none")
    }
    assert.strictEqual(takeReference({ prompt, preset: "notes" }), "twice")
    const versions = [{ toString: 1 }, ["3"], parseExact("9223372036854775807")]
    for (const version of versions) {
      const read = takeReference({ prompt: { id: "notes", version } })
      if (typeof read === "string") assert.fail(read)
      assert.isUndefined(parseReference(read.preset))
    }
  })
})
