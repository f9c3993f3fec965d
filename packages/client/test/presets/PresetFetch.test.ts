import { createClient } from "@verbatim/client"
import { type AnyFetch, presetFetch, type Resolved } from "@verbatim/client/presets"
import { assert, describe, it } from "vitest"
import { makeClientPresetFetch } from "#src/PresetFetch"
import { type Meant, startRegistry } from "./Registry.ts"

const notes: Meant = {
  ...{ version: 3, format: "chat_completions", system_prompt: "Be brief." },
  config: '{"seed":9223372036854775807,"stop":["."]}'
}

const url = "https://provider.example/v1/chat/completions"

/** A `fetch` that records its arguments. */
const recorder = () => {
  const given: Array<Parameters<AnyFetch>> = []
  const fetch: AnyFetch = async (input, init) => {
    given.push(init === undefined ? [input] : [input, init])
    return new Response("{}")
  }
  return { fetch, given }
}

const setUp = async (options: Partial<Parameters<typeof presetFetch>[1]> = {}) => {
  const meanings = new Map<string, Meant>([["notes", notes]])
  const registry = await startRegistry(meanings)
  const verbatim = createClient({ baseURL: registry.url, key: "ours", retry: false })
  const { fetch, given } = recorder()
  const resolved: Array<Resolved> = []
  let now = 0
  const clock = {
    now: () => ({ monotonicMillis: now, wallMillis: now }),
    sleep: () => new Promise<void>(() => {})
  }
  const onResolved = (one: Resolved) => void resolved.push(one)
  const wanted = { verbatim, onResolved, ...options }
  return {
    ...{ registry, meanings, given, resolved },
    pass: (millis: number) => {
      now += millis
    },
    wrapped: makeClientPresetFetch(fetch, wanted, clock)
  }
}

const body = JSON.stringify({ preset: "notes", messages: [{ role: "user", content: "Hi" }] })

const expanded =
  '{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}],' +
  '"seed":9223372036854775807,"stop":["."]}'

describe("a request that names a preset", () => {
  it("is completed with the preset, and the type of its body stays the same", async () => {
    const bytes = new TextEncoder().encode(body)
    const bodies: ReadonlyArray<readonly [string, NonNullable<RequestInit["body"]>]> = [
      ["text", body],
      ["bytes", bytes],
      ["buffer", bytes.slice().buffer],
      ["blob", new Blob([body], { type: "application/json" })]
    ]
    for (const [kind, each] of bodies) {
      const { given, wrapped } = await setUp()
      const { signal } = new AbortController()
      const headers = { authorization: "Bearer theirs", "content-length": "7" }
      const init = { method: "POST", body: each, headers, signal }
      // Options that only Node supports must be kept too.
      await wrapped(url, Object.assign(init, { dispatcher: "kept" }) as object)
      const [[input, sent = {}] = assert.fail(kind)] = given
      assert.strictEqual(input, url)
      assert.strictEqual(await new Response(sent.body ?? null).text(), expanded, kind)
      assert.strictEqual(typeof sent.body, kind === "text" ? "string" : "object")
      assert.strictEqual(sent.signal, signal)
      assert.propertyVal(sent as object, "dispatcher", "kept")
      assert.deepStrictEqual(Object.fromEntries(new Headers(sent.headers)), {
        authorization: "Bearer theirs"
      })
    }
  })

  it("can be a `Request`, which stays readable", async () => {
    const { given, wrapped } = await setUp()
    const headers = { "content-type": "application/json", "x-theirs": "1" }
    const request = new Request(url, { method: "POST", body, headers })
    await wrapped(request)
    const [sent = assert.fail("nothing")] = given[0] ?? []
    assert.instanceOf(sent, Request)
    assert.notStrictEqual(sent, request)
    assert.strictEqual(await sent.text(), expanded)
    assert.strictEqual(sent.headers.get("x-theirs"), "1")
    assert.strictEqual(await request.text(), body)
  })

  it("has rounded numbers if the platform has no `JSON.rawJSON`", async () => {
    const rawJSON = Object.getOwnPropertyDescriptor(JSON, "rawJSON")
    Reflect.deleteProperty(JSON, "rawJSON")
    try {
      const { given, wrapped } = await setUp()
      await wrapped(url, { method: "POST", body })
      assert.include(String(given[0]?.[1]?.body), '"seed":9223372036854776000')
    } finally {
      if (rawJSON !== undefined) Object.defineProperty(JSON, "rawJSON", rawJSON)
    }
  })

  it("is reported with the preset's age and with the parts that are left out", async () => {
    const { pass, registry, resolved, wrapped } = await setUp()
    await wrapped(url, { method: "POST", body })
    pass(20_000)
    const message = JSON.stringify({ model: "@preset/notes", max_tokens: 9, messages: [] })
    await wrapped("https://provider.example/v1/messages?beta=true", {
      method: "POST",
      body: message
    })
    assert.strictEqual(registry.requests.length, 1)
    const pinned = {
      ...{ reference: "notes", slug: "notes", version: 3, versionId: "notes-3" },
      isFallback: false
    }
    const reason = "the format of the request has no words for it"
    assert.deepStrictEqual(resolved, [
      { ...pinned, ageMillis: 0, isStale: false, leftOut: [] },
      { ...pinned, ageMillis: 20_000, isStale: false, leftOut: [{ field: "seed", reason }] }
    ])
  })

  it("checks its preset again after `maxAge`, and follows a label that moves", async () => {
    const { meanings, pass, registry, resolved, wrapped } = await setUp({ maxAge: 1_000 })
    meanings.set("notes@live", notes)
    const labelled = body.replace("notes", "notes@live")
    for (const version of [3, 3, 4]) {
      meanings.set("notes@live", { ...notes, version })
      await wrapped(url, { method: "POST", body: labelled })
      pass(1_000)
    }
    const tags = registry.requests.map(({ headers }) => headers["if-none-match"])
    assert.deepStrictEqual(tags, [undefined, '"notes-3"', '"notes-3"'])
    assert.deepStrictEqual(
      resolved.map(({ label, version }) => [label, version]),
      [
        ["live", 3],
        ["live", 3],
        ["live", 4]
      ]
    )
  })

  it("uses the last known preset during an outage, but not after a refusal", async () => {
    for (const [broken, status, isStale] of [
      [{ page: 502 }, 200, true],
      // A 404 from a proxy says nothing about presets.
      [{ page: 404 }, 200, true],
      [{ status: 404, message: "No such label" }, 404, false],
      [{ status: 401, message: "The key was revoked" }, 424, false]
    ] as const) {
      const { meanings, pass, resolved, wrapped } = await setUp({ staleIfError: 5_000 })
      await wrapped(url, { method: "POST", body })
      meanings.set("notes", broken)
      pass(60_000)
      const answer = await wrapped(url, { method: "POST", body })
      assert.strictEqual(answer.status, status)
      assert.strictEqual(resolved.at(-1)?.isStale, isStale)
      pass(5_000)
      const late = await wrapped(url, { method: "POST", body })
      assert.strictEqual(late.status, isStale ? 503 : status)
    }
  })

  it("is aborted by the signal in its options", async () => {
    const { wrapped } = await setUp()
    const reason = new Error("enough")
    const signal = AbortSignal.abort(reason)
    const error = await wrapped(url, { method: "POST", body, signal }).catch((cause) => cause)
    assert.strictEqual(error, reason)
  })

  it("fails with the error that `onResolved` throws", async () => {
    const refused = new Error("never stale")
    const onResolved = () => {
      throw refused
    }
    const { given, wrapped } = await setUp({ onResolved })
    const error = await wrapped(url, { method: "POST", body }).catch((cause) => cause)
    assert.strictEqual(error, refused)
    assert.isEmpty(given)
  })
})

describe("any other request", () => {
  it("passes through unchanged, with the same argument objects", async () => {
    const { given, registry, wrapped } = await setUp()
    const post = (each: NonNullable<RequestInit["body"]>) => ({ method: "POST", body: each })
    const stream = new Blob([body]).stream()
    const encoded = { ...post(body), headers: { "content-encoding": "gzip" } }
    const cases: ReadonlyArray<Parameters<AnyFetch>> = [
      [url],
      [new URL(url), { method: "GET" }],
      [url, post('{"model":"a/b","messages":[{"role":"user","content":"a preset"}]}')],
      [url, post('{"prompt":{"id":"pmpt_1","version":"2","variables":{"a":"b"}}}')],
      [url, post('{"prompt":"notes","variables":{"a":"b"}}')],
      [url, post('{"preset":')],
      [url, post('["preset"]')],
      [url, post(new FormData())],
      [url, post(new URLSearchParams({ preset: "notes" }))],
      [url, { ...post(stream), duplex: "half" } as RequestInit],
      [url, encoded],
      ["https://provider.example/v1/embeddings", post(body)],
      ["https://provider.example/v1/messages/count_tokens", post(body)],
      [new Request(url, post(body))]
    ]
    for (const [input, init] of cases) await wrapped(input, init)
    assert.deepStrictEqual(given.length, cases.length)
    given.forEach(([input, init], index) => {
      assert.strictEqual(input, cases[index]?.[0])
      assert.strictEqual(init, cases[index]?.[1])
    })
    assert.isEmpty(registry.requests)
  })
})

describe("presetFetch", () => {
  const verbatim = createClient({ baseURL: "http://a.example" })
  const refusals: ReadonlyArray<readonly [title: string, options: unknown, message: string]> = [
    ["no options", undefined, "presetFetch needs an object of options"],
    ["no client", {}, '"verbatim" must be a client, as createClient makes it'],
    ["a key instead of a client", { verbatim: "key" }, '"verbatim" must be a client'],
    [
      "a misspelt limit",
      { verbatim, maxage: 0 },
      'Unknown option "maxage"; the options are verbatim, maxAge, staleIfError, fallback'
    ],
    ["an inherited name", { verbatim, toString: 0 }, 'Unknown option "toString"'],
    ["a limit below 0", { verbatim, maxAge: -1 }, '"maxAge" must be a number of milliseconds'],
    ["the path of a file", { verbatim, fallback: "a" }, '"fallback" must be a list of exported'],
    [
      "an onResolved that is not a function",
      { verbatim, onResolved: [] },
      '"onResolved" must be a function'
    ]
  ]
  for (const [title, options, message] of refusals) {
    it(`refuses ${title}`, () => {
      const wrap = () => presetFetch(fetch, options as Parameters<typeof presetFetch>[1])
      assert.throws(wrap, TypeError)
      assert.throws(wrap, message)
    })
  }

  it("refuses a preset that is not a string, and sends nothing", async () => {
    const { given, registry, wrapped } = await setUp()
    for (const preset of ["3", "null", "{}", '["notes"]']) {
      const answer = await wrapped(url, { method: "POST", body: `{"preset":${preset}}` })
      assert.strictEqual(answer.status, 400, preset)
      const responseText = await answer.text()
      assert.include(responseText, '"type":"preset_reference_invalid"')
      assert.include(responseText, "`preset` is the name of a preset, a text")
    }
    assert.isEmpty([...given, ...registry.requests])
  })

  it("refuses a request that lacks the value of a variable, and sends nothing", async () => {
    const { given, meanings, wrapped } = await setUp()
    meanings.set("welcome", { ...notes, system_prompt: "Greet {{name}}." })
    const prompt = { id: "welcome", variables: { nome: "x" } }
    const answer = await wrapped(url, {
      method: "POST",
      body: JSON.stringify({ prompt, messages: [] })
    })
    assert.strictEqual(answer.status, 400)
    const { error } = (await answer.json()) as { error: { type: string; message: string } }
    assert.strictEqual(error.type, "preset_variables_invalid")
    assert.strictEqual(error.message, "variables: must have a text for name")
    assert.isEmpty(given)
  })
})
