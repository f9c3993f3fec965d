/** Values that somebody sends in earnest or in anger. */
import * as fc from "fast-check"

const odd = [
  "",
  "\u0000",
  "\ud800",
  "../../etc/passwd",
  "' OR 1=1 --",
  "$(id)",
  "<script>alert(1)</script>",
  "%00",
  "NaN",
  "-1",
  "null",
  "\r\nx: y",
  "x".repeat(300),
  "é".repeat(5_000)
]

/** Short ones for the most part, of any characters. */
export const strings: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(...odd) }
)

export const numbers: fc.Arbitrary<number> = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1, -1, 0.5, 1e21, 2 ** 53, -(2 ** 63), 5e-324, 1.7e308)
)

const span = 1_000_000

/** Within bounds, and one beyond them. */
export const integers = (bounds: {
  readonly minimum?: number
  readonly maximum?: number
}): fc.Arbitrary<number> => {
  const min = Math.max(bounds.minimum ?? -1, -span)
  const max = Math.max(min, Math.min(bounds.maximum ?? 1_000, span))
  return fc.integer({ min: min - 1, max: max + 1 })
}

/** Any JSON, its odd parts more often than chance has them. */
export const anything: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, {}, []),
    strings,
    numbers,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(strings, fc.constantFrom("__proto__", "type", "id")), tie("value"), {
      maxKeys: 3
    })
  )
})).value
