/** Tests limits on requests per second over HTTP, on every route that needs a key. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { nameUnknown, routes, toCall } from "./Routes.ts"
import { issueKey, makeTenant, send } from "./WorkspaceCalls.ts"

const parameters = nameUnknown("rated")

const message = "Too many requests in a second"

/** Issues a key that is limited to one request per second. */
const spentKey = Effect.gen(function* () {
  const { id } = yield* makeTenant("rated")
  const limits = { requests_per_second: 1 }
  const { token } = yield* issueKey(id, { kind: "management", limits })
  return { id, token }
})

/** Sends more requests than the limit, so that some are refused even on a slow machine. */
const burst = (call: Parameters<typeof send>[0]) =>
  Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], () => send(call), { concurrency: "unbounded" })

layer(Deployment.layer(), { excludeTestServices: true })("requests per second", (it) => {
  for (const route of routes.filter(({ scheme }) => scheme === "bearer")) {
    it.effect(`are limited on ${route.name}`, () =>
      Effect.gen(function* () {
        const { token } = yield* spentKey
        const answers = yield* burst({ ...toCall(route, parameters), key: token })
        const refused = answers.filter(({ status }) => status === 429)
        assert.isAtLeast(refused.length, 1)
        assert.isBelow(refused.length, answers.length)
        for (const { headers, text } of refused) {
          const body = JSON.parse(text)
          assert.strictEqual(body.detail ?? body.error.message, message)
          assert.strictEqual(headers.get("retry-after"), "1")
        }
      })
    )
  }
})
