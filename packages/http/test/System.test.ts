import { createHash } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { version } from "@verbatim/core/version"
import { DateTime, Effect, Option, Ref } from "effect"
import { json } from "./Bodies.ts"
import * as Deployment from "./Deployment.ts"
import { exchange } from "./Sockets.ts"

const { management } = Deployment.keys

const running = { Fetch: 0, Transcribe: 2, Summarize: 0, Deliver: 1, Notify: 0 }

layer(Deployment.layer(), { excludeTestServices: true })("the server", (it) => {
  it.effect("returns its name and links to the API description", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const answer = yield* call("/")
      assert.deepStrictEqual(JSON.parse(answer.text), {
        name: "verbatim",
        version,
        documentation: "/docs",
        description: "/openapi.json"
      })
    })
  )

  it.effect("shows the API description on a page that loads nothing from elsewhere", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const { headers, status, text } = yield* call("/docs")
      assert.strictEqual(status, 200)
      assert.match(headers.get("content-type") ?? "", /^text\/html/)
      assert.notMatch(text, /<(?:script|link|img|iframe)[^>]*\s(?:src|href)=/)
      assert.include(text, '"withDefaultFonts":false')
    })
  )

  it.effect("lets the page run only its own scripts, and forbids framing", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const { headers, text } = yield* call("/docs")
      const policy = headers.get("content-security-policy") ?? ""
      const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)]
      assert.strictEqual(scripts.length, 2)
      for (const [, script = ""] of scripts) {
        const hash = createHash("sha256").update(script).digest("base64")
        assert.include(policy, `'sha256-${hash}'`)
      }
      // A browser converts each `\r` before it hashes the script, so the hash would not match.
      assert.notInclude(text, "\r")
      assert.match(policy, /^default-src 'none'; script-src 'sha256-/)
      assert.include(policy, "frame-ancestors 'none'")
      assert.notInclude(policy, "unsafe-eval")
    })
  )

  it.effect("shows messages from the engine only to callers with management or operator keys", () =>
    Effect.gen(function* () {
      const { call, health } = yield* Deployment.Deployment
      const cause = "401 invalid_api_key: Incorrect API key provided: [key]."
      const outages = [{ dependency: "SpeechEngine" as const, failures: 3, cause }]
      const claimedAt = Option.some(DateTime.makeUnsafe(0))
      const before = yield* Ref.get(health)
      yield* Ref.set(health, {
        isStoreUp: true,
        media: { _tag: "Ours" },
        readiness: Option.some({ _tag: "Ready", engine: "openai whisper-1" } as const),
        activity: Option.some({ running, claimedAt, outages, failures: [] })
      })
      const look = (key: string | undefined) =>
        Effect.map(call("/health/ready", { key }), ({ status, text }) => {
          const { reasons, transcriber, worker } = JSON.parse(text)
          return { status, reasons, transcriber, outages: worker.outages }
        })
      const plain = "The worker cannot use the speech engine."
      const whole = `The worker cannot use the speech engine: ${cause}`
      const outage = { name: "speech engine", tasks: ["Transcribe"], failures: 3 }
      const seen = (detail: string) => ({
        status: 503,
        reasons: [detail],
        transcriber: { status: "unavailable", detail },
        outages: [detail === plain ? outage : { ...outage, cause }]
      })
      for (const key of [undefined, Deployment.keys.inference, "unknown", ""]) {
        assert.deepStrictEqual(yield* look(key), seen(plain))
      }
      for (const key of [management, Deployment.operatorKey]) {
        assert.deepStrictEqual(yield* look(key), seen(whole))
      }
      yield* Ref.set(health, before)
    })
  )

  it.effect(
    "is healthy while its store is up, and ready if its engine and its worker are ready too",
    () =>
      Effect.gen(function* () {
        const { call, health } = yield* Deployment.Deployment
        const look = Effect.all([call("/health"), call("/health/ready")])
        const statuses = Effect.map(look, (answers) => answers.map(({ status }) => status))
        const activity = Option.some({
          running,
          claimedAt: Option.none(),
          outages: [],
          failures: []
        })
        const readiness = Option.some({ _tag: "Preparing", sentence: "Downloading" } as const)

        assert.deepStrictEqual(yield* statuses, [200, 200])

        const media = { _tag: "Ours" } as const
        yield* Ref.set(health, { isStoreUp: true, media, readiness, activity })
        const [answer] = yield* look
        assert.deepStrictEqual(yield* statuses, [200, 503])
        assert.deepStrictEqual(JSON.parse(answer.text), {
          version,
          status: "ok",
          ready: false,
          reasons: ["Downloading", "The worker has not requested work yet."],
          store: "up",
          media: { status: "ready", detail: "" },
          transcriber: { status: "preparing", detail: "Downloading" },
          worker: { running, claimed_at: null, outages: [] }
        })

        yield* Ref.set(health, {
          isStoreUp: false,
          media,
          readiness: Option.none(),
          activity: Option.none()
        })
        assert.deepStrictEqual(yield* statuses, [503, 503])
      })
  )

  for (const path of ["/v1/presets/a/responses", "/v1/transcribe", "/health"]) {
    it.effect(`refuses a request with two Host headers: ${path}`, () =>
      Effect.gen(function* () {
        const { call, port } = yield* Deployment.Deployment
        const { body } = json({})
        const head = [
          `POST ${path} HTTP/1.1`,
          "host: one.example.com",
          "Host: two.example.com",
          `authorization: Bearer ${management}`,
          "content-type: application/json",
          `content-length: ${body.length}`
        ]
        const answer = yield* exchange(port, [`${head.join("\r\n")}\r\n\r\n${body}`])
        const message = "Invalid request: more than one Host header"
        assert.match(answer, /^HTTP\/1.1 400 /)
        assert.include(answer, message)
        assert.strictEqual((yield* call("/v1/presets/a", { key: management })).status, 404)
      })
    )
  }
})
