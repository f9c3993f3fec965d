/**
 * Tests responses to input that Node's parser refuses, in the format of our APIs, over real
 * sockets.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import {
  inferenceKey,
  listenFor,
  managementKey,
  opened,
  readAnswers,
  serving,
  until
} from "./Serving.ts"

const lines = (...all: ReadonlyArray<string>): string => `${all.join("\r\n")}\r\n\r\n`

const host = "Host: localhost"
const preset = "/v1/presets/a/responses"
const transcribe = "/v1/transcribe"
const spaced = (length: number) => "x".repeat(length)

/** Each row has bytes to send to a path, and the rule that the bytes break. */
const refused: ReadonlyArray<
  readonly [what: string, request: (path: string) => string, rule: string]
> = [
  ["no host", (path) => lines(`POST ${path} HTTP/1.1`, "Content-Length: 0"), "no Host header"],
  [
    "two hosts",
    (path) => lines(`GET ${path} HTTP/1.1`, host, "Host: other"),
    "more than one Host header"
  ],
  [
    "two keys",
    (path) =>
      lines(`GET ${path} HTTP/1.1`, host, "Authorization: Bearer a", "Authorization: Bearer b"),
    "more than one Authorization header"
  ],
  [
    "a coding before the chunked one",
    (path) =>
      `${lines(`POST ${path} HTTP/1.1`, host, "Transfer-Encoding: gzip, chunked")}0\r\n\r\n`,
    "its transfer encoding is unknown"
  ],
  [
    "two lengths",
    (path) => lines(`POST ${path} HTTP/1.1`, host, "Content-Length: 2", "Content-Length: 3"),
    "it must have one length"
  ],
  [
    "the same length twice",
    (path) => lines(`POST ${path} HTTP/1.1`, host, "Content-Length: 2", "Content-Length: 2"),
    "it must have one length"
  ],
  [
    "a length next to chunks",
    (path) =>
      lines(`POST ${path} HTTP/1.1`, host, "Content-Length: 2", "Transfer-Encoding: chunked"),
    "it must have one length"
  ],
  [
    "a length that is not a number",
    (path) => lines(`POST ${path} HTTP/1.1`, host, "Content-Length: two"),
    "its length must be a number"
  ],
  ["an unknown method", (path) => lines(`FROB ${path} HTTP/1.1`, host), "its method is unknown"],
  [
    "headers over their limit",
    (path) => lines(`GET ${path} HTTP/1.1`, host, `X-Long: ${spaced(20_000)}`),
    "its path and headers must fit in 16384 bytes"
  ],
  [
    "a path over its limit",
    (path) => lines(`GET ${path}/${spaced(17_000)} HTTP/1.1`, host),
    "its path and headers must fit in 16384 bytes"
  ],
  [
    "an unknown expectation",
    (path) => lines(`POST ${path} HTTP/1.1`, host, "Expect: cheese", "Content-Length: 5"),
    "its expectation is unknown"
  ],
  [
    "a version that does not exist",
    (path) => lines(`GET ${path} HTTP/9.1`, host),
    "it is not HTTP"
  ],
  [
    "a folded header",
    (path) => lines(`GET ${path} HTTP/1.1`, host, " folded: yes\u0000"),
    "it is not HTTP"
  ]
]

const bodyOf = (path: string, message: string, status = 400): string =>
  JSON.stringify(
    path === preset
      ? { error: { code: status, message }, gateway_metadata: null, user_id: null }
      : { detail: message }
  )

/** Sends bytes, and reads until the server closes the connection. */
const send = Effect.fnUntraced(function* (bytes: string) {
  const seen = yield* opened
  seen.socket.write(bytes)
  yield* until(() => seen.isEnded || seen.isClosed)
  return readAnswers(seen.text)
})

describe("input that the parser refuses", () => {
  for (const path of [preset, transcribe]) {
    it.live.each(refused)(`gets a response in the format of ${path}: %s`, ([, request, rule]) =>
      Effect.gen(function* () {
        const answers = yield* send(request(path))
        assert.strictEqual(answers.length, 1)
        const [answer] = answers
        const body = bodyOf(path, `Invalid request: ${rule}`)
        assert.deepStrictEqual([answer?.status, answer?.body], [400, body])
        assert.strictEqual(answer?.headers["content-length"], String(body.length))
        assert.strictEqual(answer?.headers.connection, "close")
        assert.match(answer?.headers["content-type"] ?? "", /^application\/json/)
      }).pipe(Effect.scoped, Effect.provide(serving()))
    )
  }
})

const bearer = `Authorization: Bearer ${managementKey}`
const chunked = "Transfer-Encoding: chunked"
const incomplete = "Invalid request: its body is not complete"

describe("a request with a broken body", () => {
  const json = "Content-Type: application/json"
  const create = (path: string) => lines(`POST ${path} HTTP/1.1`, host, bearer, json, chunked)

  for (const path of [preset, transcribe]) {
    it.live(`gets only one response, in the format of its path: ${path}`, () =>
      Effect.gen(function* () {
        const seen = yield* opened
        seen.socket.write(`${create(path)}5\r\n{"a":\r\n`)
        yield* Effect.sleep(100)
        seen.socket.write("zz\r\nhello\r\n")
        yield* until(() => seen.isClosed)
        const answers = readAnswers(seen.text)
        assert.deepStrictEqual(
          answers.map(({ body, status }) => [status, body]),
          [[400, bodyOf(path, incomplete)]]
        )
      }).pipe(Effect.scoped, Effect.provide(serving()))
    )
  }

  it.live("gets a response even if its client closes the connection early", () =>
    Effect.gen(function* () {
      const seen = yield* opened
      seen.socket.end(`${create(preset)}5\r\n{"a":\r\n`)
      yield* until(() => seen.isClosed)
      assert.deepStrictEqual(
        readAnswers(seen.text).map(({ body, status }) => [status, body]),
        [[400, bodyOf(preset, incomplete)]]
      )
    }).pipe(Effect.scoped, Effect.provide(serving()))
  )

  it.live("gets a response after the response to the previous request", () =>
    Effect.gen(function* () {
      const welcome = lines("GET / HTTP/1.1", host)
      const answers = yield* send(`${welcome}${create(preset)}zz\r\nhello\r\n${welcome}`)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 400]
      )
      assert.strictEqual(answers[1]?.body, bodyOf(preset, incomplete))
    }).pipe(Effect.scoped, Effect.provide(serving()))
  )
})

describe("valid requests before an invalid one", () => {
  it.live("all get their responses before the refusal", () =>
    Effect.gen(function* () {
      const good = lines("GET /v1/presets HTTP/1.1", host, bearer)
      const answers = yield* send(`${good.repeat(5)}${lines(`FROB ${preset} HTTP/1.1`, host)}`)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 200, 400]
      )
      assert.strictEqual(answers[5]?.body, bodyOf(preset, "Invalid request: its method is unknown"))
    }).pipe(Effect.scoped, Effect.provide(serving()))
  )
})

/** Shortens the timeouts. Text bodies get less time than files. */
const impatient = listenFor({
  idleTimeout: 600,
  headersTimeout: 300,
  textTimeout: 250,
  requestTimeout: 500,
  keepAliveTimeout: 600,
  answerTimeout: 600,
  connectionsCheckingInterval: 50
})

describe("a request that never ends", () => {
  it.live("is refused with 408 if its headers do not end", () =>
    Effect.gen(function* () {
      const [answer, ...others] = yield* send(`GET ${transcribe} HTTP/1.1\r\nHost: x\r\nA`)
      assert.deepStrictEqual(
        [answer?.status, answer?.body, others],
        [408, bodyOf(transcribe, "Request Timeout", 408), []]
      )
    }).pipe(Effect.scoped, Effect.provide(serving().pipe(Layer.provide(impatient))))
  )

  const form = "Content-Type: multipart/form-data; boundary=b"
  const begun = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\nx'
  const upload = [
    lines(
      `POST ${transcribe} HTTP/1.1`,
      host,
      `Authorization: Bearer ${inferenceKey}`,
      form,
      chunked
    ),
    `${begun.length.toString(16)}\r\n${begun}\r\n`
  ].join("")

  const slow: ReadonlyArray<readonly [what: string, path: string, bytes: string, drip: string]> = [
    ["a silent upload", transcribe, upload, ""],
    ["a dripping upload", transcribe, upload, "1\r\nx\r\n"],
    [
      "a dripping preset",
      preset,
      lines(`POST ${preset} HTTP/1.1`, host, bearer, "Content-Type: application/json", chunked),
      "1\r\n \r\n"
    ]
  ]

  it.live.each(slow)("gets only one response, with status 408: %s", ([, path, bytes, drip]) =>
    Effect.gen(function* () {
      const seen = yield* opened
      seen.socket.write(bytes)
      const timer = setInterval(() => seen.socket.write(drip), 50)
      seen.socket.on("close", () => clearInterval(timer))
      yield* until(() => seen.isClosed)
      assert.deepStrictEqual(
        readAnswers(seen.text).map(({ body, status }) => [status, body]),
        [[408, bodyOf(path, "Request Timeout", 408)]]
      )
    }).pipe(Effect.scoped, Effect.provide(serving().pipe(Layer.provide(impatient))))
  )

  it.live("is not carried out, even if the rest arrives later", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({ model: "a" })
      const length = `Content-Length: ${body.length}`
      const late = yield* opened
      late.socket.write(
        lines(`POST ${preset} HTTP/1.1`, host, bearer, "Content-Type: application/json", length) +
          body.slice(0, -1)
      )
      yield* until(() => late.text.startsWith("HTTP/1.1 408 "))
      late.socket.write(body.slice(-1))
      yield* until(() => late.isClosed)
      const [answer] = yield* send(lines("GET /v1/presets/a HTTP/1.1", host, bearer))
      assert.strictEqual(answer?.status, 404)
    }).pipe(Effect.scoped, Effect.provide(serving().pipe(Layer.provide(impatient))))
  )
})
