/**
 * Whatever a stranger's client sends as a call in OpenAI's form: a refusal in the form that it
 * expects, which names the parameter; and nothing of it stays, neither a job nor a byte.
 */
import { Buffer } from "node:buffer"
import { readdir } from "node:fs/promises"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataDirectory, inferenceKey, ServerProcess } from "./ServerProcess.ts"

let directory: Awaited<ReturnType<typeof dataDirectory>>
let server: ServerProcess

beforeAll(async () => {
  directory = await dataDirectory()
  server = await ServerProcess.start(directory.path, { VERBATIM_ROLES: "http" })
  // Its journal is there once something was written.
  await server.request(path)
  atStart = new Set([...(await stored()), ".verbatim-media"])
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await directory[Symbol.asyncDispose]()
})

const path = "/v1/audio/transcriptions"

/** Files below the directory of the data, apart from those that a server begins with. */
const stored = async (): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(directory.path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => !atStart.has(name))
}

/** The mark of the store comes with the first file. */
let atStart: ReadonlySet<string> = new Set()

const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

const filePart = (content = "a recording", more = 'name="file"; filename="a.wav"') =>
  `--b\r\nContent-Disposition: form-data; ${more}\r\n\r\n${content}\r\n`

const end = "--b--\r\n"
const model = part("model", "whisper-1")
const file = filePart()
const multipart = "multipart/form-data; boundary=b"

interface Sent {
  readonly body: string | Uint8Array
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

const form = (...parts: ReadonlyArray<string>): Sent => ({ body: parts.join("") + end })

/** Each with its status and the parameter that is named; null where the body itself is at fault. */
const refusals: ReadonlyArray<readonly [string, Sent, number, string | null]> = [
  ["no boundary", { body: model + file + end, type: "multipart/form-data" }, 400, null],
  ["another boundary", { body: model + file + end, type: `${multipart}x` }, 400, null],
  ["no end", { body: model + file }, 400, null],
  ["an end in the middle of a file", { body: `${model}${file.slice(0, -4)}` }, 400, null],
  ["no part", form(), 400, "model"],
  ["no content at all", { body: "" }, 400, null],
  ["no content and no type", { body: "", type: "" }, 400, null],
  ["no model", form(file), 400, "model"],
  ["no file", form(model), 400, "file"],
  ["a file that is a text", form(model, part("file", "a recording")), 415, "file"],
  ["two files", form(model, file, file), 400, "file"],
  ["two models", form(model, model, file), 400, "model"],
  ["a model that is a file", form(filePart("x", 'name="model"; filename="m"'), file), 400, "model"],
  ["an unknown field before the file", form(model, part("best_of", "5"), file), 400, "best_of"],
  ["an unknown field after the file", form(model, file, part("best_of", "5")), 400, "best_of"],
  ["the file first and no model", form(file, part("language", "en")), 400, "model"],
  [
    "the file first and a wrong language",
    form(file, model, part("language", "xx")),
    400,
    "language"
  ],
  ["zero bytes", form(model, filePart("")), 400, "file"],
  ["zero bytes before the model", form(filePart(""), model), 400, "file"],
  [
    "ten thousand fields",
    form(...Array.from({ length: 10_000 }, () => part("a", "b")), file),
    400,
    "a"
  ],
  [
    "ten thousand keywords after the file",
    form(model, file, ...Array.from({ length: 10_000 }, () => part("keywords[]", "b"))),
    400,
    "keywords"
  ],
  ["a long text", form(model, part("prompt", "a".repeat(300_000)), file), 400, "prompt"],
  ["a temperature of letters", form(model, part("temperature", "abc"), file), 400, "temperature"],
  ["a temperature", form(model, part("temperature", "0.7"), file), 400, "temperature"],
  [
    "a stream of subtitles",
    form(model, part("stream", "true"), part("response_format", "srt"), file),
    400,
    "stream"
  ],
  ["a stream of maybe", form(model, part("stream", "yes"), file), 400, "stream"],
  [
    "a file of another kind",
    form(model, filePart("x", 'name="file"; filename="a.exe"')),
    415,
    "file"
  ],
  ["JSON", { body: '{"model":"whisper-1","file":"x"}', type: "application/json" }, 400, null],
  ["broken JSON", { body: "{", type: "application/json" }, 400, null],
  ["JSON without a file", { body: '{"model":"whisper-1"}', type: "application/json" }, 400, null],
  [
    "the fields of a page",
    { body: "model=whisper-1", type: "application/x-www-form-urlencoded" },
    400,
    null
  ],
  ["a text", { body: "model=whisper-1", type: "text/plain" }, 400, null],
  ["no type", { body: Buffer.from(model + file + end), type: "" }, 400, null],
  [
    "a compressed body",
    { body: model + file + end, headers: { "content-encoding": "gzip" } },
    400,
    null
  ],
  ["a percent-encoded name", form(part("mod%65l", "whisper-1"), file), 400, "mod%65l"],
  ["a name of quotes", form(model, part("%22x%22", "1"), file), 400, "%22x%22"],
  ["an empty name", form(model, part("", "1"), file), 400, null],
  ["a name of ours", form(model, part("callback_url", "http://x"), file), 400, "callback_url"],
  [
    "bytes that are no text",
    {
      body: Buffer.concat([
        Buffer.from(`${model}${part("prompt", "").slice(0, -2)}`),
        Buffer.of(0xff, 0xfe),
        Buffer.from(`\r\n${file}${end}`)
      ])
    },
    400,
    null
  ],
  [
    "a wrong key of idempotency",
    { ...form(model, file), headers: { "idempotency-key": "a b" } },
    400,
    "Idempotency-Key"
  ]
]

const send = ({ body, headers = {}, type = multipart }: Sent) =>
  server.request(path, {
    method: "POST",
    body,
    headers: { ...(type === "" ? {} : { "content-type": type }), ...headers }
  })

const jobs = async () =>
  (await (await server.request("/v1/transcriptions")).json()) as { readonly data: unknown }

describe("a call of garbage to a real server", () => {
  it.each(refusals)("with %s is refused", async (_, sent, status, parameter) => {
    const response = await send(sent)
    const text = await response.text()
    assert.strictEqual(response.status, status, text)
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/)
    const { error } = JSON.parse(text)
    assert.sameMembers(Object.keys(error), ["message", "type", "param", "code"])
    assert.strictEqual(error.type, "invalid_request_error", text)
    assert.strictEqual(error.param, parameter, text)
    assert.isNotEmpty(error.message)
    if (parameter !== null) assert.isString(error.code, text)
    assert.deepEqual(await stored(), [])
    assert.deepEqual((await jobs()).data, [])
  })

  it("with a connection that is cut in the middle leaves nothing", async () => {
    const { hostname, port } = new URL(server.address)
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}`,
      `Authorization: Bearer ${inferenceKey}`,
      `Content-Type: ${multipart}`,
      "Content-Length: 100000000",
      "",
      ""
    ].join("\r\n")
    const megabyte = Buffer.alloc(1_048_576, 65)
    for (const count of [0, 1, 8]) {
      const socket = connect(Number(port), hostname)
      socket.on("error", () => undefined)
      socket.write(head + model + filePart("").slice(0, -2))
      for (let sent = 0; sent < count; sent += 1) {
        await new Promise((resolve) => socket.write(megabyte, resolve))
      }
      // The file is there while it is being sent, and gone after the cut.
      while (count > 0 && (await stored()).length === 0) await sleep(20)
      socket.destroy()
      while ((await stored()).length > 0) await sleep(20)
    }
    assert.deepEqual((await jobs()).data, [])
    assert.strictEqual((await server.request("/health/ready")).status, 200)
  })

  it("has told of no failure of its own", () => {
    assert.notMatch(server.errors, /ERROR|Error:/)
  })
})
