/**
 * Tests MCP with hostile messages, and with both official clients, which speak the current and the
 * older protocol version.
 */
import { createReadStream } from "node:fs"
import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js"
import * as Older from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Scope } from "@verbatim/core/workspace"
import type { Transcribe } from "@verbatim/embed"
import fc from "fast-check"
import { onTestFinished } from "vitest"
import { listen, openFor, recording } from "./Opened.ts"

/** Serves the recording at a URL. */
const serveRecording = () =>
  listen(
    createServer((_, response) => {
      response.setHeader("content-type", "audio/mpeg")
      createReadStream(recording).pipe(response)
    })
  )

const sentences = Array.from({ length: 60 }, (_, index) => ({
  startMillis: index * 1_000,
  endMillis: (index + 1) * 1_000,
  text: `Sentence ${index} ends with an umlaut: ü.`
}))

const speaking: Transcribe = async () => ({ language: "en", segments: sentences })

type Options = Parameters<typeof openFor>[0]

/** Opens Verbatim with MCP on a port, with a preset and a function that issues keys. */
const openServed = async (options: Options = {}) => {
  const verbatim = await openFor({
    mcp: true,
    transcribe: speaking,
    allowedNetworks: ["127.0.0.1/32"],
    ...options
  })
  // Lets clients reuse connections that were idle while this process was busy.
  const server = createServer({ keepAliveTimeout: 60_000 }, verbatim.handler)
  const origin = await listen(server)
  const acme = verbatim.as({ workspace: "acme" })
  const issue = async (scopes?: ReadonlyArray<Scope>) => {
    const body = { kind: "management", ...(scopes === undefined ? {} : { scopes }) } as const
    return (await acme.keys.issue(body)).token
  }
  return { acme, issue, url: new URL("/mcp", origin), verbatim }
}

interface Found {
  readonly isError: boolean
  readonly texts: ReadonlyArray<string>
}

/** The part of a client's interface that both packages share. */
interface Connected {
  readonly list: () => Promise<ReadonlyArray<string>>
  readonly call: (name: string, given: Record<string, unknown>) => Promise<Found>
}

const toFound = (result: object): Found => {
  const { content, isError } = result as {
    content: ReadonlyArray<{ text: string }>
    isError?: boolean
  }
  return { isError: isError === true, texts: content.map(({ text }) => text) }
}

const info = { name: "test", version: "1.0.0" }

const connectors = {
  "@modelcontextprotocol/client": async (url: URL, key: string): Promise<Connected> => {
    const client = new Client(info, { versionNegotiation: { mode: "auto" } })
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
    onTestFinished(() => client.close())
    assert.strictEqual(client.getNegotiatedProtocolVersion(), "2026-07-28")
    return {
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, given) => toFound(await client.callTool({ name, arguments: given }))
    }
  },
  "@modelcontextprotocol/sdk": async (url: URL, key: string): Promise<Connected> => {
    const client = new OlderClient(info)
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new Older.StreamableHTTPClientTransport(url, { requestInit }) as never)
    onTestFinished(() => client.close())
    return {
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, given) => toFound(await client.callTool({ name, arguments: given }))
    }
  }
}

const parse = ({ isError, texts }: Found) => {
  assert.isFalse(isError, texts[0])
  return JSON.parse(texts[0] ?? "")
}

const tools = [
  "quote_transcription",
  "transcribe_link",
  "wait_for_transcription",
  "read_transcription",
  "list_transcriptions",
  "correct_transcription",
  "list_presets",
  "read_preset",
  "resolve_preset",
  "draft_preset_version"
]

/** Reads a transcript in several small parts. */
const readParts = async ({ call }: Connected, given: Record<string, unknown>) => {
  const parts: Array<string> = []
  let offset: number | null = 0
  while (offset !== null) {
    const { isError, texts } = await call("read_transcription", { ...given, offset, limit: 1_000 })
    assert.isFalse(isError, texts[0])
    const [part = "", where = ""] = texts
    assert.isAtMost(Buffer.byteLength(part), 1_000)
    parts.push(part)
    offset = JSON.parse(where).next_offset
  }
  return parts
}

describe("MCP", () => {
  for (const [name, connect] of Object.entries(connectors)) {
    it(`lets ${name} quote, transcribe, wait, read and correct`, async () => {
      const { acme, issue, url } = await openServed()
      const client = await connect(url, await issue())
      assert.deepStrictEqual(await client.list(), tools)
      const link = { url: `${await serveRecording()}/minute.mp3` }
      const quote = parse(await client.call("quote_transcription", link))
      assert.deepInclude(quote, { ...link, content_type: "audio/mpeg", price_minutes: null })
      const unconfirmed = parse(await client.call("transcribe_link", { ...link, confirm: false }))
      assert.isFalse(unconfirmed.submitted)
      assert.deepStrictEqual((await acme.transcriptions.list()).data, [])
      const { id } = parse(await client.call("transcribe_link", { ...link, confirm: true }))
      const ended = parse(await client.call("wait_for_transcription", { id }))
      assert.deepInclude(ended, { id, transcription_status: "COMPLETED", ended: true })
      const parts = await readParts(client, { id, format: "plain_text" })
      assert.isAbove(parts.length, 1)
      assert.strictEqual(parts.join(""), await acme.transcriptions.result(id, "plain_text"))
      const lines = (await readParts(client, { id, format: "segments" })).join("").split("\n")
      assert.strictEqual(JSON.parse(lines[7] ?? "").index, 7)
      const read = await client.call("read_transcription", { id, format: "segments" })
      const { version } = JSON.parse(read.texts[1] ?? "")
      const changes = [{ index: 7, text: "Corrected. Divided.", split: { at: 11 } }]
      parse(await client.call("correct_transcription", { id, segments: changes, version }))
      const { data } = parse(await client.call("list_transcriptions", { limit: 1 }))
      assert.strictEqual(data[0].id, id)
      assert.include((await readParts(client, { id })).join(""), "Corrected.")
      for (const [given, rule] of [
        [{ id: "..", format: "presets" }, "Invalid argument 'id': must be a name"],
        [{ id, format: "pdf" }, "Invalid modifier: pdf"],
        [{ id: "none" }, "Request not found"]
      ] as const) {
        const refused = await client.call("read_transcription", given)
        assert.deepStrictEqual(refused, { isError: true, texts: [rule] })
      }
    })
  }

  it("drafts a version of a preset, and leaves the live version unchanged", async () => {
    const { acme, issue, url } = await openServed()
    await acme.presets.createFromResponses("notes", { model: "any/model", temperature: 1 })
    const client = await connectors["@modelcontextprotocol/client"](url, await issue())
    const draft = { slug: "notes", set: { temperature: 0 }, comment: "Cooler." }
    parse(await client.call("draft_preset_version", draft))
    for (const stage of [{ stage: false }, { stage: true }]) {
      const { isError, texts } = await client.call("draft_preset_version", { ...draft, ...stage })
      assert.deepStrictEqual([isError, texts], [true, ["Invalid argument 'stage': unknown"]])
    }
    const live = parse(await client.call("read_preset", { slug: "notes" })).data
    assert.strictEqual(live.designated_version.version, 1)
    const staged = parse(await client.call("read_preset", { slug: "notes", version: 2 })).data
    assert.strictEqual(staged.config.temperature, 0)
    const request = { model: "other/model", input: "Hello" }
    const resolved = parse(await client.call("resolve_preset", { slug: "notes", request }))
    assert.strictEqual(resolved.data.request.temperature, 1)
    assert.strictEqual(parse(await client.call("list_presets", {})).total_count, 1)
  })

  it("refuses a key that lacks the scope, with the API's message", async () => {
    const { issue, url } = await openServed()
    const key = await issue(["transcriptions:read"])
    for (const connect of Object.values(connectors)) {
      const client = await connect(url, key)
      parse(await client.call("list_transcriptions", {}))
      for (const [tool, given, scope] of [
        [
          "transcribe_link",
          { url: "http://127.0.0.1/a.mp3", confirm: true },
          "transcriptions:write"
        ],
        ["quote_transcription", { url: "http://127.0.0.1/a.mp3" }, "transcriptions:write"],
        ["list_presets", {}, "presets:read"],
        ["draft_preset_version", { slug: "notes" }, "presets:write"]
      ] as const) {
        const { isError, texts } = await client.call(tool, given)
        assert.isTrue(isError)
        assert.match(texts[0] ?? "", new RegExp(`The key lacks the scope ${scope}$`))
      }
    }
    for (const authorization of ["", "Bearer unknown"]) {
      const headers = { "content-type": "application/json", authorization }
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
      const response = await fetch(url, { method: "POST", headers, body })
      assert.strictEqual(response.status, 401)
    }
  })

  it("counts towards the workspace's limits", async () => {
    const { issue, url, verbatim } = await openServed()
    const key = await issue()
    const { id } = await verbatim.workspaces.ensure("acme", {})
    await verbatim.workspaces.revise(id, { limits: { requests_per_second: 1 } })
    const send = async (method: string) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${key}` }
      const params = method === "tools/call" ? { name: "list_presets", arguments: {} } : {}
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      const response = await fetch(url, { method: "POST", headers, body })
      return `${response.status} ${await response.text()}`
    }
    for (const [method, refusal] of [
      ["tools/list", /^429 /],
      ["tools/call", /^200 .*"isError":true/]
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 32 }, () => send(method)))
      assert.isTrue(
        answers.some((answer) => refusal.test(answer)),
        answers[31]
      )
    }
  })

  it("accepts the host's own sessions below the prefix", async () => {
    const { url } = await openServed({
      prefix: "/api/verbatim",
      authenticate: ({ headers }) =>
        headers.get("cookie") === "session=ana" ? { workspace: "acme", kind: "inference" } : null
    })
    const below = new URL("/api/verbatim/mcp", url)
    const call = async (name: string, cookie: string, more: Record<string, string> = {}) => {
      const headers = { "content-type": "application/json", cookie, ...more }
      const params = { name, arguments: { slug: "notes" } }
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
      const response = await fetch(below, { method: "POST", headers, body })
      return [response.status, JSON.parse(await response.text()).result?.content[0].text]
    }
    assert.deepStrictEqual(await call("read_preset", "session=ana"), [200, "Preset not found"])
    const [, refusal] = await call("draft_preset_version", "session=ana")
    assert.strictEqual(refusal, "Only management keys can perform this operation")
    assert.deepStrictEqual(await call("read_preset", "session=eve"), [401, undefined])
    const page = { origin: "https://evil.example.com" }
    assert.deepStrictEqual(await call("read_preset", "session=ana", page), [403, undefined])
  })

  it("is served only if the host turns it on", async () => {
    const { url } = await openServed({ mcp: false })
    const response = await fetch(url, { method: "POST", body: "{}" })
    assert.strictEqual(response.status, 404)
  })
})

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom("__proto__", "constructor", "..", "../../v1/workspaces", "%2e%2e", "a/b", "\0"),
  fc.constantFrom("\u0000\ud800", "'; DROP TABLE jobs; --", "$ref", "file:///etc/passwd"),
  fc.constant("x".repeat(300_000)),
  fc.uuid()
)

const hostileValue = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 5 }),
  fc.constantFrom<unknown>(null, -1, 1e308, 2 ** 60, true, [], {}, [[[[[[]]]]]])
)

const hostileArguments = fc.oneof(
  fc.dictionary(
    fc.oneof(
      fc.constantFrom("id", "url", "slug", "version", "request", "segments", "speakers", "set"),
      fc.constantFrom("confirm", "seconds", "offset", "limit", "format", "cursor", "from", "at"),
      hostileText
    ),
    hostileValue,
    { maxKeys: 6 }
  ),
  hostileValue
)

const methods = [
  ...["initialize", "ping", "tools/list", "resources/list", "resources/read", "prompts/get"],
  ...["completion/complete", "server/discover", "subscriptions/listen", "logging/setLevel"],
  ...["notifications/cancelled", "notifications/initialized", "toString", "tools/call"]
]

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

const hostileMessage = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant("2.0") }, hostileValue),
    id: fc.oneof({ weight: 5, arbitrary: fc.integer() }, hostileValue),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...methods) }, hostileValue),
    params: fc.oneof(
      fc.record({ name: fc.constantFrom(...tools), arguments: hostileArguments }),
      fc.record(
        { name: hostileValue, arguments: hostileValue, uri: hostileValue, _meta: hostileValue },
        { requiredKeys: [] }
      ),
      hostileValue
    )
  },
  { requiredKeys: ["method"] }
)

const toolCall = fc.record({
  jsonrpc: fc.constant("2.0"),
  id: fc.integer(),
  method: fc.constant("tools/call"),
  params: fc.record({ name: fc.constantFrom(...tools), arguments: hostileArguments })
})

const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`

const hostileCall = fc.record({
  body: fc.oneof(
    { weight: 4, arbitrary: toolCall.map((message) => JSON.stringify(message)) },
    { weight: 4, arbitrary: hostileMessage.map((message) => JSON.stringify(message)) },
    fc.array(hostileMessage, { maxLength: 50 }).map((batch) => JSON.stringify(batch)),
    hostileValue.map((value) => JSON.stringify(value) ?? ""),
    fc.constantFrom(nested, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${nested}}`),
    fc.constantFrom('{"__proto__":{"method":"tools/list"},"id":1}', '{"id":1', "", "\uFEFF{}"),
    hostileText
  ),
  isCurrent: fc.boolean(),
  headers: fc.constantFrom<Record<string, string>>(
    {},
    { "mcp-protocol-version": "1999-01-01" },
    { "mcp-session-id": "none" },
    { "content-type": "text/plain" },
    { accept: "text/html" },
    { origin: "https://evil.example.com" }
  )
})

/** Converts a message to the current protocol version, and adds its headers. */
const toCurrent = (body: string): readonly [body: string, headers: Record<string, string>] => {
  try {
    const message = JSON.parse(body)
    message.params._meta ??= meta
    const { method, params } = message
    const encode = (text: unknown) => `=?base64?${Buffer.from(String(text)).toString("base64")}?=`
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": String(method) }
    const named = { ...headers, "mcp-name": encode(params.name ?? params.uri).slice(0, 8_000) }
    new Headers(named)
    return [JSON.stringify(message), named]
  } catch {
    return [body, {}]
  }
}

/** Matches text that reveals a stack, a query, a file or a resolved address. */
const leak = /\bat \S+ \(|file:\/\/\/work|node_modules|SELECT |\.ts:\d|EACCES|ENOENT|192\.168\./

describe("hostile messages", () => {
  it("cause no server error, and reveal nothing about the server", async () => {
    const faults: Array<unknown> = []
    const note = (...given: ReadonlyArray<unknown>) => void faults.push(given)
    const ignore = () => undefined
    const logger = { debug: ignore, info: ignore, warn: ignore, error: note }
    const { acme, issue, url } = await openServed({ logger })
    await acme.presets.createFromResponses("notes", { model: "any/model" })
    const key = await issue()
    const calls = fc.sample(hostileCall, { numRuns: 1_000, seed: 45 })
    const statuses = new Map<number, number>()
    const send = async ({ body, headers: given, isCurrent }: (typeof calls)[number]) => {
      const [sent, routing] = isCurrent ? toCurrent(body) : [body, {}]
      const accept = "application/json, text/event-stream"
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept,
          authorization: `Bearer ${key}`,
          ...routing,
          ...given
        },
        body: sent
      })
      const text = await response.text()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      assert.isBelow(response.status, 500, `${sent.slice(0, 500)} ${text}`)
      assert.notMatch(text, leak, sent.slice(0, 500))
    }
    for (let start = 0; start < calls.length; start += 16) {
      await Promise.all(calls.slice(start, start + 16).map(send))
    }
    assert.deepStrictEqual(faults, [])
    const client = await connectors["@modelcontextprotocol/client"](url, key)
    assert.deepStrictEqual(await client.list(), tools)
    assert.deepStrictEqual((await acme.transcriptions.list()).data, [])
    assert.isAbove(statuses.get(200) ?? 0, 300)
  }, 120_000)
})
