/** Tests playback of stored recordings over HTTP. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { readRange } from "#src/serve/transcription/MediaAnswer"
import { form } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"

const { inference } = Deployment.keys

const text = "0123456789"

const uploaded = Effect.gen(function* () {
  const { call } = yield* Deployment.Deployment
  const body = form([["file", new File([text], "Zoë; x.mp3")]])
  const answer = yield* call("/v1/transcribe", { key: inference, body })
  const { id }: { readonly id: string } = JSON.parse(answer.text)
  const media = (headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    call(`/v1/transcriptions/${id}/media`, { key: inference, headers, method })
  return { id, media }
})

layer(Deployment.layer(), { excludeTestServices: true })("a recording", (it) => {
  it.effect("is sent whole, with headers that keep browsers from guessing its type", () =>
    Effect.gen(function* () {
      const { media } = yield* uploaded
      const { headers, status, text: body } = yield* media()
      assert.deepStrictEqual([status, body], [200, text])
      assert.strictEqual(headers.get("content-type"), "audio/mpeg")
      assert.strictEqual(headers.get("content-length"), "10")
      assert.strictEqual(headers.get("accept-ranges"), "bytes")
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.match(headers.get("content-security-policy") ?? "", /sandbox/)
      assert.strictEqual(
        headers.get("content-disposition"),
        "inline; filename=\"Zo__ x.mp3\"; filename*=UTF-8''Zo%C3%AB%3B%20x.mp3"
      )
      const head = yield* media({}, "HEAD")
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      assert.strictEqual(head.headers.get("content-length"), "10")
    })
  )

  it.effect("is sent in ranges if the request has the current entity tag", () =>
    Effect.gen(function* () {
      const { media } = yield* uploaded
      const tag = (yield* media()).headers.get("etag") ?? ""
      const rows = [
        ["bytes=0-0", 206, "0", "bytes 0-0/10"],
        ["bytes=3-5", 206, "345", "bytes 3-5/10"],
        ["bytes=8-", 206, "89", "bytes 8-9/10"],
        ["bytes=-2", 206, "89", "bytes 8-9/10"],
        ["bytes=7-99", 206, "789", "bytes 7-9/10"],
        ["bytes=10-", 416, "", "bytes */10"],
        ["bytes=-0", 416, "", "bytes */10"],
        ["bytes=5-3", 200, text, null],
        ["bytes=0-1,4-5", 200, text, null],
        ["chars=0-1", 200, text, null],
        ["x", 200, text, null]
      ] as const
      for (const [range, status, body, contentRange] of rows) {
        const answer = yield* media({ range })
        const seen = [answer.status, answer.text, answer.headers.get("content-range")]
        assert.deepStrictEqual(seen, [status, body, contentRange], range)
        const same = yield* media({ range, "if-range": tag })
        assert.strictEqual(same.status, status)
        for (const other of ['"other"', `W/${tag}`, "Tue, 24 Nov 2026 16:00:00 GMT"]) {
          assert.strictEqual((yield* media({ range, "if-range": other })).status, 200)
        }
      }
      assert.strictEqual((yield* media({ "if-none-match": tag })).status, 304)
      assert.strictEqual((yield* media({ "if-none-match": '"a", "b"' })).status, 200)
    })
  )
})

describe("a range", () => {
  it("lies within the content, whatever the Range header contains", () => {
    const header = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.option(fc.nat()), fc.option(fc.nat()))
        .map(([from, to]) => `bytes=${from ?? ""}-${to ?? ""}`)
    )
    fc.assert(
      fc.property(header, fc.nat({ max: 100 }), (range, byteLength) => {
        const requested = readRange({ range, ifRange: undefined }, { byteLength, tag: '"t"' })
        if (requested._tag !== "Part") return
        assert.isAtLeast(requested.from, 0)
        assert.isBelow(requested.from, requested.to)
        assert.isAtMost(requested.to, byteLength)
      })
    )
  })
})
