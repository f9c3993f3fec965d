/**
 * Tests that a logged cause names the error and its origin, but contains none of the data in the
 * errors.
 */
import { assert, describe, it } from "@effect/vitest"
import { JobStoreError } from "@verbatim/core/ports"
import { upTo } from "@verbatim/testkit/samples"
import { Cause, Effect, Formatter, Schema } from "effect"
import { redactCause } from "#src/serve/edge/RedactedCause"

const secret = "hidden-Zq7"
const key = `vb_${"aB3".repeat(12)}`

/**
 * Returns all text that a logger can get from a cause, by formatting it or by inspecting its
 * errors.
 */
const shownOf = (cause: Cause.Cause<unknown>): string => {
  const redacted = redactCause(cause)
  const errors = redacted.reasons.map((reason) => Formatter.format(reason))
  return [Cause.pretty(redacted), ...errors].join("\n")
}

const thrownBy = (run: () => unknown): unknown =>
  Effect.runSync(Effect.flip(Effect.try({ try: run, catch: (error) => error })))

const Row = Schema.Struct({ transcript: Schema.Struct({ words: Schema.Array(Schema.Int) }) })

/** A Postgres driver's error with a secret in its message. */
const refusal = Object.assign(new Error(`invalid input syntax for type uuid: "${secret}"`), {
  code: "22P02",
  detail: `Failing row contains (1, ${secret}).`,
  parameters: [secret]
})

const causes: ReadonlyArray<readonly [string, unknown]> = [
  ["a driver's error with its row", refusal],
  [
    "a schema error, which shows the value",
    thrownBy(() => Schema.decodeUnknownSync(Row)({ transcript: { words: [secret] } }))
  ],
  ["a parser's error, which shows its input", thrownBy(() => JSON.parse(`{"a":"${secret}`))],
  ["a parser's error, after its input", thrownBy(() => JSON.parse(`${secret} ${"x".repeat(90)}`))],
  [
    "an error with a URL",
    new Error(`cannot reach http://me:${secret}@a.example/${secret}?k=${secret}`)
  ],
  ["an error with a slash in a password", new Error(`postgres://me:${secret}/1@a.example/b fails`)],
  ["an error with a key", new Error(`no such key ${key}`)],
  ["an error with a long secret", new Error(`Bearer ${secret}${"0aZ".repeat(12)} was refused`)],
  ["an error with an external name", Object.assign(new Error("a"), { name: `"${secret}"` })],
  ["a thrown string", `not "${secret}"`]
]

describe("a logged cause", () => {
  for (const [what, error] of causes) {
    for (const [how, cause] of [
      ["alone", Cause.die(error)],
      [
        "below a store's",
        Cause.fail(
          new JobStoreError({ operation: "insert", reason: { _tag: "Unavailable", cause: error } })
        )
      ]
    ] as const) {
      it(`contains no data from ${what} (${how})`, () => {
        const shown = shownOf(cause)
        assert.notInclude(shown, "Zq7")
        assert.notInclude(shown, key)
        if (how !== "alone") assert.include(shown, "JobStoreError")
      })
    }
  }

  it("names the error, the error's code and its origin", () => {
    const error = new JobStoreError({
      operation: "insert",
      reason: { _tag: "Unavailable", cause: refusal }
    })
    const shown = Cause.pretty(redactCause(Cause.die(error)))
    assert.match(shown, /JobStoreError: insert: Unavailable/)
    assert.match(shown, /Error \(22P02\): invalid input syntax for type uuid: …/)
    assert.include(shown, "RedactedCause.test")
  })

  it("keeps the id of a job and the host of a receiver", () => {
    const id = "0190a1b2-0000-7000-8000-00000000abcd"
    const shown = shownOf(Cause.die(new Error(`job ${id} at https://a.example:8443/hook`)))
    assert.include(shown, id)
    assert.include(shown, "https://a.example:8443/…")
  })

  it("is redacted quickly even if it is very long and has no spaces", () => {
    // If redaction took quadratic time, the test would run for minutes and exceed its time limit.
    const shown = shownOf(Cause.die(new Error("a.".repeat(150_000))))
    assert.isAtMost(shown.length, 12_000)
  })

  it("is short, even if its errors are long or numerous", () => {
    const long = "word ".repeat(10_000)
    const deepest: { cause?: unknown } = new Error(long)
    const chain = upTo(100).reduce<unknown>(
      (cause) =>
        Object.assign(new Error(long), { cause, stack: `${long}\n    at ${long}`.repeat(9) }),
      deepest
    )
    deepest.cause = chain
    const many = Cause.fromReasons(upTo(50).map(() => Cause.makeDieReason(chain)))
    assert.isAtMost(Cause.pretty(redactCause(many)).length, 12_000)
  })
})
