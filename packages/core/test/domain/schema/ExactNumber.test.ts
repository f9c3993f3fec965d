import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Option, Schema } from "effect"
import {
  isExact,
  isSameValue,
  normalizeNumber,
  parse,
  toNumber,
  toNumbers
} from "#src/domain/schema/ExactNumber"

const parsed = (text: string): unknown => Option.getOrThrow(parse(text))

const written = (text: string): string => JSON.stringify(parsed(text))

/** Numbers that JavaScript cannot represent exactly. */
const exact = [
  "9223372036854775807",
  "-9223372036854775808",
  "18446744073709551616.0",
  "9007199254740993",
  "0.1000000000000000055",
  "3.14159265358979323846",
  "1234567890.12345678901",
  "-123456789012345678e-30",
  "4.9e-324",
  "9".repeat(300)
]

/** Nonzero numbers that JavaScript would turn into zero. */
const tiny = ["1e-400", `0.${"0".repeat(400)}1`]

/** Numbers that are stored in another notation with the same value. */
const respelled: ReadonlyArray<readonly [sent: string, kept: string]> = [
  ["1.0", "1"],
  ["1E+2", "100"],
  ["1000000000000000000000", "1e+21"],
  ["1.00000000000000000000", "1"],
  ["0.30000000000000004", "0.30000000000000004"],
  ["0.00000000000000000000", "0"],
  ["9007199254740992", "9007199254740992"],
  ["5e-324", "5e-324"],
  ["1.7976931348623157e308", "1.7976931348623157e+308"],
  ["-100000000000000000000000e-021", "-100"]
]

/** Each list has one value in several notations. */
const spellings: ReadonlyArray<ReadonlyArray<string>> = [
  [
    "9223372036854775807",
    "9223372036854775807.0",
    "9.223372036854775807e18",
    "92233720368547758070000E-4"
  ],
  ["-9223372036854775807", "-9223372036854775807.00"],
  ["9223372036854775806"],
  ["9223372036854775807e1", "92233720368547758070"],
  ["0.1000000000000000055", "0.10000000000000000550", "1000000000000000055e-19"],
  ["1e-400", "1E-400", "10e-401", `0.${"0".repeat(399)}1`],
  ["-1e-400"],
  ["1e-9007199254740993"],
  ["1e-9007199254740992"],
  ["1e-99999999999999999999"],
  ["1e-99999999999999999998"]
]

describe("A number in JSON", () => {
  for (const text of [...exact, ...tiny]) {
    it(`keeps its digits: ${text.slice(0, 30)}`, () => {
      const value = parsed(`{"a":[${text}]}`) as { readonly a: ReadonlyArray<unknown> }
      assert.isTrue(isExact(value.a[0]))
      assert.strictEqual(JSON.stringify(value), `{"a":[${text}]}`)
      const nearest = tiny.includes(text) ? Number.MIN_VALUE : Number(text)
      assert.deepStrictEqual(toNumbers(value), { a: [nearest] })
    })
  }

  for (const [text, kept] of respelled) {
    it(`becomes a JavaScript number with the same value: ${text}`, () => {
      assert.strictEqual(written(`{ "a" : ${text} }`), `{"a":${kept}}`)
    })
  }

  it("keeps its notation if it is too large for JavaScript, and counts as infinite", () => {
    const text = `{"a":1e400,"b":-${"9".repeat(400)}}`
    assert.strictEqual(written(text), text)
    assert.deepStrictEqual(toNumbers(parsed(text)), {
      a: Number.POSITIVE_INFINITY,
      b: Number.NEGATIVE_INFINITY
    })
  })

  it("is kept even under the key __proto__ or a duplicate key", () => {
    const text = '{"a":1,"__proto__":{"b":12345678901234567890},"a":12345678901234567891}'
    const value = parsed(text)
    const kept = '{"a":12345678901234567891,"__proto__":{"b":12345678901234567890}}'
    assert.strictEqual(JSON.stringify(value), kept)
    assert.strictEqual(
      JSON.stringify(toNumbers(value)),
      '{"a":12345678901234567000,"__proto__":{"b":12345678901234567000}}'
    )
    assert.strictEqual(Object.getPrototypeOf(value), Object.prototype)
  })

  it("is never rounded to an integer if it has a fraction", () => {
    const near = (text: string) => toNumber({ rawJSON: text })
    assert.isAbove(near("30.0000000000000000001"), 30)
    assert.isBelow(near("29.9999999999999999999"), 30)
    assert.isBelow(near("-1.00000000000000000001"), -1)
    assert.isAbove(near("-0.99999999999999999999"), -1)
    assert.isBelow(near("-1e-400"), 0)
    assert.isAbove(near("3000000000000000000001e-20"), 30)
    assert.strictEqual(near("9007199254740993"), 9007199254740992)
  })

  it("counts as an integer only if it has no fraction, even beyond 2^50", () => {
    const near = (text: string) => toNumber({ rawJSON: text })
    const fractions = [
      "1125899906842624.1",
      "4503599627370497.5",
      "9007199254740993.0000001",
      "9223372036854775807.5",
      "92233720368547758075e-1",
      `${"9".repeat(300)}.1`
    ]
    for (const text of fractions) {
      assert.isFalse(Number.isInteger(near(text)), text)
      assert.isAbove(near(text), 2 ** 50)
      assert.isBelow(near(`-${text}`), -(2 ** 50))
    }
    for (const text of ["9223372036854775807.0", "9.223372036854775807e18", "9".repeat(300)]) {
      assert.strictEqual(near(text), Number(text))
    }
  })

  it("is parsed in linear time", () => {
    const zeros = "0".repeat(1_000_000)
    assert.strictEqual(written(`[1.${zeros}1]`).length, 1_000_005)
  })

  it.prop(
    "gets the same value and notation as from JSON.parse and JSON.stringify",
    [Schema.Json],
    ([json]) => {
      const text = JSON.stringify(json)
      assert.deepStrictEqual(toNumbers(parsed(text)), JSON.parse(text))
      assert.strictEqual(written(text), JSON.stringify(JSON.parse(text)))
    }
  )

  const digits = Arbitrary.map(
    Arbitrary.array(
      Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))),
      {
        minLength: 1,
        maxLength: 30
      }
    ),
    (all) => all.join("")
  )

  it.prop("keeps all its digits", [digits, digits], ([whole, fraction]) => {
    const text = `${BigInt(whole)}.${fraction}1`
    const [, kept = ""] = /^\[(.*)\]$/.exec(written(`[${text}]`)) ?? []
    // Only a value with at most 17 digits can become a JavaScript number.
    assert.isTrue(kept === text || String(Number(text)) === kept)
    if (kept !== text) assert.isAtMost(text.replace(/\D|^[0.]+/g, "").length, 17)
  })
})

describe("A number in its original notation", () => {
  it("equals another number if and only if their values are equal, in any notation", () => {
    const all = spellings.flatMap((each, value) => each.map((rawJSON) => ({ value, rawJSON })))
    for (const one of all) {
      for (const other of all) {
        const isSame = one.value === other.value
        assert.strictEqual(isSameValue(one, other), isSame, `${one.rawJSON} ${other.rawJSON}`)
      }
      const spelling = normalizeNumber(one)
      assert.isTrue(isSameValue(spelling, one))
      // The number survives being written and parsed again.
      assert.strictEqual(written(`[${spelling.rawJSON}]`), `[${spelling.rawJSON}]`)
    }
  })
})
