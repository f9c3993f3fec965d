/** `Accept-Encoding` headers in all their forms. */
import { assert, it } from "@effect/vitest"
import { prefersGzip } from "../src/serve/edge/Compression.ts"

it.each([
  [undefined, false],
  ["", false],
  ["gzip", true],
  ["x-gzip", true],
  ["GZip;Q=0.5", true],
  ["*", true],
  ["deflate, br", false],
  ["gzip;q=0", false],
  ["*;q=0", false],
  ["gzip;q=0, *", false],
  ["*;q=0, gzip;q=0.001", true],
  ["gzip;q=0, x-gzip", false],
  ["gzip, identity", true],
  ["gzip;q=0.5, identity;q=0.6", false],
  ["gzip;q=0.5, identity;q=0", true],
  ["gzip;q=0.2, *;q=0.8", false],
  ["gzip;q=1.5", false],
  ["gzip;level=9", false],
  ["br;q=1.0,gzip;q=0.8,*;q=0.1", true]
])("an Accept-Encoding of %s prefers gzip: %s", (header, isPreferred) => {
  assert.strictEqual(prefersGzip(header), isPreferred)
})
