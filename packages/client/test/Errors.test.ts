import { createClient, VerbatimError } from "@verbatim/client"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { keys, type Server, startServer } from "./Server.ts"

/** Returns the error with which a call rejects. */
const failureOf = async (calling: Promise<unknown>): Promise<VerbatimError> => {
  const error = await calling.then(
    () => assert.fail("it did not fail"),
    (cause: unknown) => cause
  )
  assert.instanceOf(error, VerbatimError)
  return error
}

const secret = "a-secret-key-that-nobody-shows"

describe("an error from the server", () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  const clientOf = (key: string) => createClient({ baseURL: server.baseURL, key })

  it("contains the request id and the message, in both error formats", async () => {
    const client = clientOf(keys.management)
    const requestId = "request-1"
    const preset = await failureOf(client.presets.get("none", { requestId }))
    assert.deepInclude(preset, { kind: "refused", status: 404, requestId })
    assert.strictEqual(preset.message, "Preset not found")
    assert.deepInclude(preset.body, { error: { code: 404, message: "Preset not found" } })

    const job = await failureOf(client.transcriptions.get("none"))
    assert.deepInclude(job, { kind: "refused", status: 404, body: { detail: job.message } })
    assert.strictEqual(job.message, "Request not found")
    assert.isNotEmpty(job.requestId)
  })

  it("is returned by calls by path, and thrown by calls by name", async () => {
    const client = clientOf(keys.management)
    const params = { path: { slug: "none" } }
    const { data, error } = await client.GET("/presets/{slug}", { params })
    assert.isUndefined(data)
    assert.strictEqual(error?.error.code, 404)
    assert.strictEqual((await failureOf(client.presets.get("none"))).status, 404)
  })

  it("never shows the key that the server refused", async () => {
    const refused = await failureOf(clientOf(secret).presets.get("notes"))
    assert.strictEqual(refused.status, 401)
    const ill = await failureOf(clientOf(`${secret}\n`).presets.get("notes"))
    const headers = { "x-key": `${secret}\n` }
    const unsendable = await failureOf(clientOf(keys.management).presets.get("notes", { headers }))
    assert.deepStrictEqual([ill.kind, unsendable.kind], ["unsent", "unsent"])
    for (const error of [refused, ill, unsendable]) {
      assert.notInclude(`${JSON.stringify(error)} ${error.stack}`, secret)
    }
  })

  it("does not stop later calls from getting a new key", async () => {
    const given = [keys.inference, secret, keys.management]
    const client = createClient({
      baseURL: new URL(server.baseURL),
      key: async () => given.shift() ?? ""
    })
    await client.presets.list()
    assert.strictEqual((await failureOf(client.presets.list())).status, 401)
    await client.presets.list()
    assert.strictEqual((await failureOf(client.presets.list())).kind, "unsent")
  })
})

describe("a response that does not match the API", () => {
  const answering = (response: () => Response) =>
    createClient({ baseURL: "http://a.example", fetch: async () => response(), retry: false })

  it("becomes an error that has a message and the body", async () => {
    for (const [body, shown] of [
      ["", undefined],
      ["<h1>Bad Gateway</h1>", "<h1>Bad Gateway</h1>"],
      ['{"error":{"message":""}}', { error: { message: "" } }],
      ['{"detail":[]}', { detail: [] }],
      ["null", null]
    ] as const) {
      const headers = { "retry-after": "7", "content-length": `${body.length}` }
      const client = answering(() => new Response(body, { status: 502, headers }))
      const error = await failureOf(client.presets.list())
      assert.deepInclude(error, { kind: "refused", status: 502, retryAfter: 7 })
      assert.deepStrictEqual(error.body, shown)
      assert.strictEqual(error.message, "The server answered with status 502")
    }
  })

  it("is reported as unreadable if it should be JSON but is not", async () => {
    const client = answering(() => new Response("<h1>Welcome</h1>"))
    assert.strictEqual((await failureOf(client.presets.list())).kind, "unreadable")
    const json = answering(
      () => new Response("{", { headers: { "content-type": "application/json" } })
    )
    assert.strictEqual(
      (await failureOf(json.transcriptions.result("1", "word_json"))).kind,
      "unreadable"
    )
  })

  it("is reported as a network failure if the connection breaks", async () => {
    const broken = () =>
      new Response(
        new ReadableStream({ pull: (controller) => controller.error(new TypeError("x")) })
      )
    assert.strictEqual((await failureOf(answering(broken).presets.list())).kind, "network")
  })
})

describe("the client", () => {
  it("distinguishes network failures from server errors", async () => {
    // No server listens on port 1.
    const client = createClient({ baseURL: "http://127.0.0.1:1", key: secret, retry: false })
    const error = await failureOf(client.presets.list())
    assert.deepInclude(error, { kind: "network", status: 0, name: "VerbatimError" })
    assert.strictEqual(error.message, "The server could not be reached")
    assert.instanceOf(error.cause, Error)
  })

  it("refuses a base URL with credentials, query or fragment without showing the URL", () => {
    for (const rest of [
      `me:${secret}@a.example`,
      `a.example?key=${secret}`,
      `a.example#${secret}`
    ]) {
      try {
        createClient({ baseURL: `https://${rest}` })
        assert.fail(rest)
      } catch (error) {
        assert.instanceOf(error, VerbatimError)
        assert.notInclude(String(error), secret)
      }
    }
  })

  it("refuses path parameters that would turn the path into another operation's", async () => {
    const urls: Array<string> = []
    const client = createClient({
      baseURL: "http://a.example/verbatim/",
      fetch: async ({ url }) => {
        urls.push(url)
        return Response.json({ data: {} })
      }
    })
    for (const slug of ["", ".", ".."]) {
      assert.strictEqual((await failureOf(client.presets.get(slug))).kind, "unsent")
    }
    await client.presets.get("../a?b#c/d")
    await client.GET("/health")
    assert.deepStrictEqual(urls, [
      "http://a.example/verbatim/v1/presets/..%2Fa%3Fb%23c%2Fd",
      "http://a.example/verbatim/health"
    ])
  })
})

describe("a request that cannot be built", () => {
  const { presets, transcriptions } = createClient({
    baseURL: "https://verbatim.example",
    fetch: () => assert.fail("it was sent")
  })
  const wrong = (value: unknown) => value as never

  it.each([
    ["a folder as a path", () => transcriptions.create({ path: "." })],
    ["a path without a file", () => transcriptions.create({ path: "./none.mp3" })],
    ["two recordings", () => transcriptions.create(wrong({ path: "a.mp3", url: "https://a" }))],
    ["no recording", () => transcriptions.create(wrong(undefined))],
    ["the name of a file", () => transcriptions.create(wrong("a.mp3"))],
    ["bytes as a file", () => transcriptions.create(wrong({ file: Buffer.from("a") }))],
    ["a body that is not JSON", () => presets.createFromResponses("a", wrong({ seed: 1n }))],
    ["an object as a name", () => presets.get(wrong({ slug: "a" }))],
    ["a lone surrogate in a name", () => presets.get("\ud800")],
    ["an invalid date", () => presets.pin("a", { at: new Date(Number.NaN) })],
    ["no interval", () => transcriptions.wait("1", { interval: 0 })]
  ] as const)("is refused before it is sent: %s", async (_, call) => {
    assert.strictEqual((await failureOf(call())).kind, "unsent")
  })
})

describe("createClient", () => {
  const refuse = (options: unknown) => () => Reflect.apply(createClient, undefined, [options])

  it("refuses an unknown or missing option before sending anything", () => {
    assert.throws(
      refuse({ baseUrl: "https://x.example" }),
      '"baseUrl"; the options are baseURL, key'
    )
    assert.throws(refuse({ baseURL: "https://x.example", apiKey: "k" }), 'Unknown option "apiKey"')
    assert.throws(refuse({ baseURL: undefined }), '"baseURL" must be a URL')
    assert.throws(refuse(undefined), "createClient needs an object of options")
  })
})
