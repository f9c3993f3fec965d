/** Lists hostile request bodies, each with the rule that it breaks. */
import { gzipSync } from "node:zlib"
import { json } from "../Bodies.ts"
import type { Call } from "../Deployment.ts"

/** A hostile body: its name, its request, and the rule that the refusal must mention. */
export type Hostile = readonly [what: string, call: Call, rule: string]

const { headers } = json({})

/** Builds a request with this JSON text as its body. */
export const raw = (
  body: NonNullable<Call["body"]>,
  more: Readonly<Record<string, string>> = {}
): Call => ({ headers: { ...headers, ...more }, body })

/** Maximum size of a request body: 2 MiB. */
const byteMax = 2_097_152

/** Builds an object with this many keys, each as short as possible. */
const keysOf = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`).join(",")}}`

/**
 * Builds a body with one field, a list of this many items. By default, the list has as many items
 * as fit into the body.
 */
const listOf = (
  name: string,
  item: string,
  count = Math.floor((byteMax - 50) / (item.length + 1))
): string => `{"${name}":[${`${item},`.repeat(count - 1)}${item}]}`

const around = (...bytes: ReadonlyArray<number>) =>
  new Uint8Array([...Buffer.from('{"user":"'), ...bytes, ...Buffer.from('"}')])

const text = "must not contain NUL or a lone surrogate"
const depth = "body: at most 64 levels of nesting"
const keys = "body: at most 20000 keys in the whole document"
const bytes = `body: at most ${byteMax} bytes`
const utf8 = "body: must be UTF-8"
const type = "body: must be sent as application/json"
const encoding = "body: must be sent without a content encoding"

/** Bodies that every operation refuses. */
export const unreadable: ReadonlyArray<Hostile> = [
  ["arrays 100,000 deep", raw("[".repeat(100_000)), depth],
  ["arrays 65 deep", raw(`{"a":${"[".repeat(64)}${"]".repeat(64)}}`), depth],
  ["20,001 keys", raw(keysOf(20_001)), keys],
  ["2 MiB and a byte", raw(" ".repeat(byteMax + 1)), bytes],
  ["a number that is not finite", raw('{"top_p":1e400}'), "top_p: must be a finite number"],
  ["a NUL, escaped", raw('{"user":"a\\u0000b"}'), `user: ${text}`],
  ["a high surrogate, escaped", raw('{"user":"\\ud800"}'), `user: ${text}`],
  ["a byte that cannot begin a character", raw(around(0xff)), utf8],
  ["a byte order mark", raw("\uFEFF{}"), "body: must not begin with a byte order mark"],
  ["UTF-16", raw(Buffer.from("\uFEFF{}", "utf16le")), utf8],
  ["another character set", raw("{}", { "content-type": "application/json;charset=utf-16" }), utf8],
  ["gzip", raw(gzipSync("{}"), { "content-encoding": "gzip" }), encoding],
  ["a bomb", raw(gzipSync(" ".repeat(50_000_000)), { "content-encoding": "gzip" }), encoding],
  ["the content type of XML", raw("{}", { "content-type": "text/xml" }), type],
  ["text that is not JSON", raw("{"), "body: must be JSON"],
  ["no content type", { body: new Uint8Array([0x7b, 0x7d]) }, type]
]

/** Bodies that look hostile but are accepted. */
export const harmless: ReadonlyArray<readonly [what: string, call: Call]> = [
  [
    "63 nested arrays in an object",
    raw(`{"image_config":{"a":${"[".repeat(62)}${"]".repeat(62)}}}`)
  ],
  ["20,000 keys", raw(keysOf(20_000))],
  ["100,000 values", raw(listOf("input", "{}", 99_998))],
  ["2 MiB", raw(`{}${" ".repeat(byteMax - 2)}`)],
  ["brackets and quotes in a string", raw(`{"user":"${'[{\\":'.repeat(60)}\\\\"}`)],
  ["a pair of surrogates, escaped", raw('{"user":"\\ud83d\\ude00"}')],
  ["a byte order mark in a string", raw('{"user":"\uFEFF"}')],
  ["the actual character set", raw("{}", { "content-type": "application/json;charset=UTF-8" })],
  ["the identity encoding", raw("{}", { "content-encoding": "identity" })]
]
