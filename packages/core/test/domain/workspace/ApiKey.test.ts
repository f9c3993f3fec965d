import { assert, describe, it } from "@effect/vitest"
import { upTo } from "@verbatim/testkit/samples"
import { Hex } from "effect/encoding"
import { isAcceptableToken, tokenByteLength, toToken } from "#src/domain/workspace/ApiKey"

const alphabet = "abcdefghijklmnopqrstuvwxyz"

/** Keys that an operator might bring, and whether they are taken. */
const tokens: ReadonlyArray<readonly [what: string, token: string, isTaken: boolean]> = [
  ["one character", "a".repeat(32), false],
  ["one character, long", "a".repeat(256), false],
  ["one character but for the last", `${"a".repeat(31)}b`, false],
  ["seven different characters", "aabbccddeeffggabcdefgagfedcbacbdeg", false],
  ["a word again and again", "password".repeat(4), false],
  ["a long word again and again, cut off", "Correct-Horse-9".repeat(3).slice(0, 40), false],
  ["hexadecimal digits twice", "0123456789abcdef".repeat(2), false],
  ["a sequence", `${alphabet}0123456789`, false],
  ["a sequence backwards", `9876543210${[...alphabet].reverse().join("")}`, false],
  ["too short", "Zk3-_9xQ7mT1vB5nR8wL2pY6cF4hJ0d", false],
  ["a space", "Zk3-_9xQ7mT1vB5n R8wL2pY6cF4hJ0dG", false],
  ["hexadecimal digits", "9f86d081884c7d659a2feaa0c55ad015", true],
  ["decimal digits", "38471650293847561029384756102948", true],
  ["words", "management-key-of-a-small-program", true],
  ["words with some of a sequence", "test-management-key-0123456789abcdef", true],
  ["mixed characters", "Zk3-_9xQ7mT1vB5nR8wL2pY6cF4hJ0dG", true]
]

describe("isAcceptableToken", () => {
  for (const [what, token, isTaken] of tokens) {
    it(`${isTaken ? "takes" : "refuses"} ${what}`, () => {
      assert.strictEqual(isAcceptableToken(token), isTaken)
    })
  }

  it("takes the tokens that are made here", () => {
    for (const _ of upTo(10_000)) {
      const bytes = crypto.getRandomValues(new Uint8Array(tokenByteLength))
      assert.isTrue(isAcceptableToken(toToken("management", Hex.encode(bytes))))
    }
  })
})
