/** JSON objects for property tests, with so few keys that any two objects share some. */
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"

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

/** Returns a value as a string that does not depend on the order of its keys. */
export const canonical = (value: Schema.Json): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`
  )
  return `{${members.toSorted().join()}}`
}
