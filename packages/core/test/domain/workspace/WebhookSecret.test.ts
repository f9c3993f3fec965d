import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { Base64 } from "effect/encoding"
import { isSecret, keyOf, secretMax, secretsFrom } from "#src/domain/workspace/WebhookSecret"

const secretOf = (length: number): string =>
  `whsec_${Base64.encode(new Uint8Array(length).fill(251))}`

const malformed: ReadonlyArray<readonly [what: string, text: string]> = [
  ["empty text", ""],
  ["the prefix alone", "whsec_"],
  ["text without the prefix", secretOf(32).slice(6)],
  ["text with a different prefix", secretOf(32).replace("whsec_", "whpk_")],
  ["a key with 23 bytes", secretOf(23)],
  ["a key with 65 bytes", secretOf(65)],
  ["a key without padding", secretOf(32).replace(/=+$/, "")],
  ["a key in URL-safe base64", secretOf(32).replaceAll("+", "-").replaceAll("/", "_")],
  ["a key with a line break inside", `${secretOf(32).slice(0, 20)}\n${secretOf(32).slice(20)}`],
  ["a key with stray bits at the end", `whsec_${"A".repeat(42)}B=`],
  ["a key with a letter outside the alphabet", `whsec_${"é".repeat(44)}`]
]

describe("A webhook secret", () => {
  it.each([24, 25, 32, 63, 64])("consists of whsec_ and %d bytes", (length) => {
    const [secret] = secretsFrom(secretOf(length)) ?? []
    assert.isDefined(secret)
    if (secret !== undefined) assert.deepStrictEqual(keyOf(secret).length, length)
  })

  it.each(malformed)("does not accept %s", (_, text) => {
    assert.isFalse(isSecret(text))
    assert.isUndefined(secretsFrom(text === "" ? text : `${secretOf(32)} ${text}`))
  })

  it("can be one of several in the configuration, separated by spaces", () => {
    const [a, b] = [secretOf(24), secretOf(32)]
    assert.deepStrictEqual(secretsFrom(` ${a}  ${b} `)?.map(Redacted.value), [a, b])
    assert.isUndefined(
      secretsFrom(
        Array(secretMax + 1)
          .fill(a)
          .join(" ")
      )
    )
  })

  it("is redacted when it is converted to text", () => {
    assert.notInclude(JSON.stringify(secretsFrom(secretOf(32))), secretOf(32).slice(6))
    assert.notInclude(String(secretsFrom(secretOf(32))?.[0]), secretOf(32).slice(6))
  })
})
