import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"

const { inference, management } = Deployment.keys

const managementOnly = "Only management keys can perform this operation"
const slugRule = "slug: 1 to 255 of A-Z a-z 0-9 . _ ~ -, and neither . nor .."

interface Wrong extends Deployment.Call {
  readonly slug?: string
}

/** The error, the request, the status, and the message without the prefix of every 400. */
const rows: ReadonlyArray<readonly [string, Wrong, number, string]> = [
  ["an inference key", { key: inference, ...json({}) }, 403, managementOnly],
  ["an inference key and a bad slug", { key: inference, slug: "a%20b" }, 403, managementOnly],
  ["an inference key and a bad body", { key: inference, ...json("{") }, 403, managementOnly],
  ["a slug with a semicolon", { slug: "a;b", ...json({}) }, 400, slugRule],
  ["a slug with a broken escape", { slug: "%E0%A4%A", ...json({}) }, 400, slugRule],
  ["an empty slug", { slug: "", ...json({}) }, 400, slugRule],
  ["a bad slug and a bad body", { slug: "a%20b", ...json("{") }, 400, slugRule],
  ["no body", {}, 400, "body: must be sent as application/json"],
  ["a body that is not JSON", json("{"), 400, "body: must be JSON"],
  [
    "a previous response",
    json({ previous_response_id: "r" }),
    400,
    "previous_response_id: must be null: responses are not stored"
  ]
]

layer(Deployment.layer(), { excludeTestServices: true })(
  "an invalid request to create a preset",
  (it) => {
    for (const [what, { slug = "a", ...call }, status, message] of rows) {
      it.effect(`is refused because of ${what}: ${status} ${message}`, () =>
        Effect.gen(function* () {
          const deployment = yield* Deployment.Deployment
          const path = `/v1/presets/${slug}/responses`
          const answer = yield* deployment.call(path, { method: "POST", key: management, ...call })
          const body = JSON.parse(answer.text)
          const whole = status === 400 ? `Invalid request parameters: ${message}` : message
          assert.strictEqual(answer.headers.get("content-type"), "application/json")
          assert.deepStrictEqual(Object.keys(body), ["error", "gateway_metadata", "user_id"])
          assert.deepStrictEqual(
            [answer.status, body.error],
            [status, { code: status, message: whole }]
          )
          assert.strictEqual(body.gateway_metadata, null)
          assert.match(body.user_id, /^user_[0-9a-f-]{36}$/)
        })
      )
    }

    it.effect("leaves no preset behind", () =>
      Effect.gen(function* () {
        const { call } = yield* Deployment.Deployment
        const answer = yield* call("/v1/presets/a", { key: inference })
        const message = "Preset not found"
        assert.strictEqual(answer.status, 404)
        assert.deepStrictEqual(JSON.parse(answer.text).error, { code: 404, message })
      })
    )
  }
)
