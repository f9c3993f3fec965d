/**
 * Strings and JSON that callers can send and that stores treat differently. Strings with NUL or
 * half a surrogate pair, which some stores cannot keep, are refused earlier.
 */

import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"

/** Short distinct strings; some of them look alike. */
export const awkwardTexts: ReadonlyArray<string> = [
  "",
  " ",
  "  spaces at both ends  ",
  "line\nbreak\r\nand\ttab",
  "\"double\" 'single' `back`",
  "back\\slash \\n \\u0041 \\0",
  "'; DROP TABLE jobs; --",
  "100%_of*what?[x]",
  "$1 ?1 :name @name {{name}}",
  "null",
  "0",
  "1e3",
  "true",
  "{}",
  "straße",
  "STRASSE",
  "\u00e9",
  "e\u0301",
  "İstanbul ıI",
  "🎙️ 👩‍👩‍👧‍👦 🇩🇪",
  "𝒳𐍈",
  "日本語 ไทย",
  "مرحبا بالعالم",
  "\ufeffbyte order mark",
  "zero\u200bwidth",
  "\u2028\u2029\u0085",
  "\u0001\u001f\u007f",
  "\ufffd\uffff"
]

/** Returns a string of about this many UTF-8 bytes. A cut at almost any byte splits a character. */
export const longText = (byteLength: number): string => {
  const piece = "a🎙é日"
  return piece.repeat(Math.ceil(byteLength / new TextEncoder().encode(piece).byteLength))
}

// JSON objects for property tests. They have few keys, so two objects often share some.

const names = [
  "a",
  "b",
  "",
  "a/b",
  "~",
  "~1",
  "__proto__",
  "constructor",
  "tools",
  "model"
] as const

const leaf = Arbitrary.schema(
  Schema.Literals([0, 1, -1.5, true, false, "", "x", "__proto__"]).pipe(Schema.NullOr)
)

const name = Arbitrary.schema(Schema.Literals(names))

const choice = Arbitrary.schema(Schema.Literals([0, 1, 2, 3]))

const objectOf = (
  value: Arbitrary.Arbitrary<Schema.Json>
): Arbitrary.Arbitrary<Schema.JsonObject> =>
  Arbitrary.map(Arbitrary.array(Arbitrary.all([name, value]), { maxLength: 6 }), (entries) =>
    Object.fromEntries(entries)
  )

const valueOf = (depth: number): Arbitrary.Arbitrary<Schema.Json> =>
  depth === 0
    ? leaf
    : Arbitrary.flatMap(choice, (kind): Arbitrary.Arbitrary<Schema.Json> => {
        if (kind < 2) return leaf
        const inner = valueOf(depth - 1)
        return kind === 2 ? objectOf(inner) : Arbitrary.array(inner, { maxLength: 3 })
      })

/** Generates objects with up to four levels. */
export const jsonObject: Arbitrary.Arbitrary<Schema.JsonObject> = objectOf(valueOf(3))

/** Returns a string for a value that is the same for any order of its keys. */
export const canonical = (value: Schema.Json): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`
  )
  return `{${members.toSorted().join()}}`
}
