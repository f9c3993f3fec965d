/** Tests URLs that are refused for their text alone, before any lookup. */
import { assert, describe, it } from "@effect/vitest"
import * as Networks from "@verbatim/core/outbound"
import * as UrlPolicy from "@verbatim/core/outbound"
import { Result } from "effect"
import { allowed, hostile } from "./HostileUrls.ts"

const judge = (url: string, allow = ""): string => {
  const allowedNetworks = Result.getOrThrow(Networks.fromText(allow))
  return Result.match(UrlPolicy.checkUrl({ url, allowedNetworks }), {
    onFailure: (refusal) => refusal,
    onSuccess: ({ host }) => host._tag
  })
}

describe("UrlPolicy", () => {
  it.each(hostile)("refuses %j as %s", (url, refusal) => assert.strictEqual(judge(url), refusal))

  it.each(allowed)("accepts %j", (url, kind) => assert.strictEqual(judge(url), kind))

  it("accepts a URL of the maximum length, and refuses a longer one", () => {
    const start = "https://example.com/"
    assert.strictEqual(judge(start.padEnd(UrlPolicy.urlLengthMax, "a")), "Name")
    assert.strictEqual(judge(start.padEnd(UrlPolicy.urlLengthMax + 1, "a")), "TooLong")
  })

  it("accepts only addresses in allowed networks, in every notation", () => {
    for (const url of ["http://127.0.0.1:8080/", "http://2130706433/", "http://[::ffff:7f00:1]/"]) {
      assert.strictEqual(judge(url, "127.0.0.0/8"), "Literal", url)
    }
    assert.strictEqual(judge("http://10.0.0.1/", "127.0.0.0/8"), "ForbiddenAddress")
    assert.strictEqual(judge("http://[::1]/", "127.0.0.0/8"), "ForbiddenAddress")
    assert.strictEqual(judge("http://127.0.0.1:25/", "127.0.0.0/8"), "ForbiddenPort")
  })

  it("leaves local names to the address check if any network is allowed", () => {
    assert.strictEqual(judge("http://localhost:8080/", "127.0.0.0/8"), "Name")
    assert.strictEqual(judge("http://media/", "10.0.0.0/8"), "Name")
  })

  it("judges a long hostile URL quickly", () => {
    const parts = ["a".repeat(1e6), "@".repeat(1e6), "%00".repeat(1e6), ".".repeat(2000)]
    for (const part of parts) assert.notStrictEqual(judge(`http://${part}`), "Name")
  })
})
