import { assert, describe, it } from "@effect/vitest"
import { upTo } from "@verbatim/testkit/samples"
import { Hex } from "effect/encoding"
import {
  isAcceptableToken,
  isAllowed,
  kindScopes,
  mayManageKeys,
  scopes,
  tokenByteLength,
  toToken
} from "#src/domain/workspace/ApiKey"
import { toUserId } from "#src/domain/workspace/Workspace"

const alphabet = "abcdefghijklmnopqrstuvwxyz"

/** Tokens that an operator might supply, and whether they are accepted. */
const tokens: ReadonlyArray<readonly [what: string, token: string, isAccepted: boolean]> = [
  ["a repeated character", "a".repeat(32), false],
  ["a character repeated 256 times", "a".repeat(256), false],
  ["a repeated character and one other character", `${"a".repeat(31)}b`, false],
  ["seven different characters", "aabbccddeeffggabcdefgagfedcbacbdeg", false],
  ["a repeated word", "password".repeat(4), false],
  ["a repeated long word, cut off", "Correct-Horse-9".repeat(3).slice(0, 40), false],
  ["a repeated word and a digit", `${"password".repeat(4)}1`, false],
  ["a digit and a repeated word", `1${"password".repeat(4)}`, false],
  ["a repeated word and a year", `${"changeme".repeat(4)}!2026`, false],
  ["the beginning of a sequence, repeated", `${"abcdefgh".repeat(4)}X9`, false],
  ["a repeated name and a digit", `${"verbatim-secret-key-".repeat(2)}1`, false],
  ["several characters, each repeated", "aaaabbbbccccddddeeeeffffgggghhhh", false],
  ["sixteen hexadecimal digits, repeated", "0123456789abcdef".repeat(2), false],
  ["a sequence", `${alphabet}0123456789`, false],
  ["a sequence backwards", `9876543210${[...alphabet].reverse().join("")}`, false],
  ["too short", "Zk3-_9xQ7mT1vB5nR8wL2pY6cF4hJ0d", false],
  ["a space", "Zk3-_9xQ7mT1vB5n R8wL2pY6cF4hJ0dG", false],
  ["hexadecimal digits", "9f86d081884c7d659a2feaa0c55ad015", true],
  ["decimal digits", "70294416385102973358264091178053", true],
  ["decimal digits, most of them twice", "38471650293847561029384756102948", false],
  ["a UUID", "3f0c9a52-7d1e-4b68-9c35-e2a8d7146f0b", true],
  [
    "two UUIDs from the same moment",
    "01938c6e-5b2a-7d41-a3f0-9e8b6c1d2f5701938c6e-5b2a-72c6-8b19-04d7e5a3f68c",
    true
  ],
  ["base64", "q83vEjRWeJq8zd7wESIzRFVmd4iZqrvM", true],
  ["hexadecimal digits after zeros", `${"0".repeat(16)}9f86d081884c7d659a2feaa0c55ad015`, true],
  ["words", "management-key-of-a-small-program", true],
  ["words and part of a sequence", "test-management-key-0123456789abcdef", true],
  ["mixed characters", "Zk3-_9xQ7mT1vB5nR8wL2pY6cF4hJ0dG", true]
]

describe("isAcceptableToken", () => {
  for (const [what, token, isAccepted] of tokens) {
    it(`${isAccepted ? "accepts" : "refuses"} ${what}`, () => {
      assert.strictEqual(isAcceptableToken(token), isAccepted)
    })
  }

  it("accepts generated tokens", () => {
    for (const _ of upTo(10_000)) {
      const bytes = crypto.getRandomValues(new Uint8Array(tokenByteLength))
      assert.isTrue(isAcceptableToken(toToken("management", Hex.encode(bytes))))
    }
  })
})

const kinds = ["management", "inference"] as const

describe("the permissions of a key", () => {
  it("include every scope for its kind if the key has no list of scopes", () => {
    for (const kind of kinds) {
      const allowed = scopes.filter((scope) => isAllowed({ kind, scopes: null }, scope))
      assert.deepStrictEqual(allowed, [...kindScopes[kind]])
    }
    assert.isFalse(isAllowed({ kind: "inference", scopes: null }, "presets:write"))
  })

  it("include only the listed scopes that its kind allows", () => {
    const listed = ["presets:read", "presets:write", "a scope of a newer program"]
    const of = (kind: (typeof kinds)[number]) =>
      scopes.filter((scope) => isAllowed({ kind, scopes: listed }, scope))
    assert.deepStrictEqual(of("management"), ["presets:read", "presets:write"])
    assert.deepStrictEqual(of("inference"), ["presets:read"])
    assert.isFalse(isAllowed({ kind: "management", scopes: [] }, "presets:read"))
  })

  it("include managing keys only if the key is a management key with all scopes", () => {
    assert.isTrue(mayManageKeys({ kind: "management", scopes: null }))
    assert.isFalse(mayManageKeys({ kind: "management", scopes: [...scopes] }))
    assert.isFalse(mayManageKeys({ kind: "inference", scopes: null }))
  })
})

describe("the user id derived from a host's name for a user", () => {
  it("is a version 8 UUID for any digest", () => {
    for (const digit of "0123456789abcdef") {
      const id = toUserId(digit.repeat(64))
      assert.match(id, /^user_[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
    assert.notStrictEqual(toUserId(`${"0".repeat(31)}1`.repeat(2)), toUserId("0".repeat(64)))
  })
})
