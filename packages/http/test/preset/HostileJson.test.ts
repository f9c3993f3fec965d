import { monitorEventLoopDelay } from "node:perf_hooks"
import { assert, layer } from "@effect/vitest"
import { chooseCases } from "@verbatim/testkit/laws"
import { bytesInUse } from "@verbatim/testkit/servers"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { mebibyte } from "../Sockets.ts"
import { harmless, misshapen, raw, unreadable } from "./HostileBodies.ts"

const key = Deployment.keys.management

/** Every operation that takes a body. */
const operations = [
  { path: "/v1/presets/hostile/responses", method: "POST" },
  { path: "/v1/presets/hostile/chat/completions", method: "POST" },
  { path: "/v1/presets/hostile/messages", method: "POST" },
  { path: "/v1/presets/hostile/designated-version", method: "PUT" },
  { path: "/v1/presets/hostile", method: "PATCH" }
] as const

const [responses, ...others] = operations

/** They read bodies with the same function: of the others one is enough in `npm test`. */
const chosenOperations = [responses, ...chooseCases(others, others.length)]

type Operation = Pick<(typeof operations)[number], "method"> & { readonly path: string }

const send = Effect.fnUntraced(function* ({ method, path }: Operation, call: Deployment.Call) {
  const deployment = yield* Deployment.Deployment
  const { status, text } = yield* deployment.call(path, { key, method, ...call })
  return { status, body: JSON.parse(text) }
})

/** The specified form of a refusal, and nothing else. */
const assertRefused = (
  { body, status }: { readonly status: number; readonly body: ReturnType<typeof JSON.parse> },
  rule: string
) => {
  const [, problems = ""] = body.error.message.split("Invalid request parameters: ")
  assert.strictEqual(status, 400)
  assert.deepStrictEqual(Object.keys(body), ["error", "gateway_metadata", "user_id"])
  assert.strictEqual(body.error.code, 400)
  assert.strictEqual(body.gateway_metadata, null)
  assert.match(body.user_id, /^user_/)
  // An operation may miss something of its own besides.
  assert.include(`; ${problems}; `, `; ${rule}; `)
}

/** Other work of the machine counts as ours, so we take the shortest of a few. */
const attemptMax = 8

/**
 * The longest time for which nothing else could run in this process, in milliseconds. It is no
 * longer than the longest delay of the loop, which counts what other processes did meanwhile, and
 * no longer than the work of the request, which counts what the client did.
 */
const heldDuring = Effect.fnUntraced(function* (operation: Operation, call: Deployment.Call) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const before = process.cpuUsage()
  delay.enable()
  yield* send(operation, call)
  delay.disable()
  const { system, user } = process.cpuUsage(before)
  return Math.min(delay.max / 1e6, (system + user) / 1e3)
})

/** A preset whose versions are as large as they may be. */
const largest: Operation = { path: "/v1/presets/largest/responses", method: "POST" }

/** The longest that an allowed body has held the process so far, in milliseconds. */
let holdMax = 0

const measureAllowed = Effect.fnUntraced(function* () {
  for (const [, call] of harmless) holdMax = Math.max(holdMax, yield* heldDuring(largest, call))
})

/**
 * All that is wrong with a body is told, so one with a hundred thousand wrong values takes up to
 * twice as long as an allowed one that is as large. What is meant to be found takes many times as
 * long: the bound leaves room for a machine that was busy during every attempt.
 */
const heldRatioMax = 5

/** A hostile body holds the process about as long as some allowed ones, in the same run. */
const assertHeldShortly = Effect.fnUntraced(function* (call: Deployment.Call) {
  let shortest = Number.POSITIVE_INFINITY
  const isTooLong = () => shortest >= heldRatioMax * holdMax
  for (let attempt = 0; attempt < attemptMax && isTooLong(); attempt += 1) {
    if (holdMax === 0 || attempt > 0) yield* measureAllowed()
    shortest = Math.min(shortest, yield* heldDuring(responses, call))
  }
  assert.isBelow(shortest, heldRatioMax * holdMax)
})

/** In MB. */
const inUse = (): number => bytesInUse() / mebibyte

layer(Deployment.layer(), { excludeTestServices: true })("hostile JSON", (it) => {
  for (const [what, call, rule] of unreadable) {
    it.effect(`is refused by operations: ${what}: ${rule}`, () =>
      Effect.gen(function* () {
        for (const operation of chosenOperations) assertRefused(yield* send(operation, call), rule)
        yield* assertHeldShortly(call)
      })
    )
  }

  for (const [what, call, rule] of misshapen) {
    it.effect(`is refused where a preset is made: ${what}: ${rule}`, () =>
      Effect.gen(function* () {
        assertRefused(yield* send(responses, call), rule)
        yield* assertHeldShortly(call)
      })
    )
  }

  it.effect("stays in no memory", () =>
    Effect.gen(function* () {
      const all = [...unreadable, ...misshapen]
      const growths: Array<number> = []
      for (let round = 0; round < 2; round += 1) {
        const before = inUse()
        for (const [, call] of all) yield* send(responses, call)
        growths.push(inUse() - before)
      }
      // What is retained is retained in every round; whatever else the heap does comes and goes.
      assert.isBelow(Math.min(...growths), 2)
    })
  )

  it.effect("leaves nothing behind", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const answer = yield* call("/v1/presets", { key })
      const { data } = JSON.parse(answer.text)
      assert.deepStrictEqual(
        data.map(({ slug }: { readonly slug: string }) => slug),
        ["largest"]
      )
    })
  )

  for (const [what, call] of harmless) {
    it.effect(`is not: ${what}`, () =>
      Effect.gen(function* () {
        const { body, status } = yield* send(responses, call)
        assert.strictEqual(status, 200, JSON.stringify(body))
      })
    )
  }

  it.effect("keeps `__proto__` as data, and the last of two equal names", () =>
    Effect.gen(function* () {
      const sent =
        '{"image_config":{"__proto__":"x"},"__proto__":{"isBad":1},"constructor":{"prototype":1},' +
        '"text":{"__proto__":{"isBad":1},"a":1,"a":2},"model":"a","model":"b"}'
      const { body, status } = yield* send(responses, raw(sent))
      assert.strictEqual(status, 200)
      assert.strictEqual(
        JSON.stringify(body.data.designated_version.config),
        '{"image_config":{"__proto__":"x"},"text":{"__proto__":{"isBad":1},"a":2},"model":"b"}'
      )
      assert.notProperty({}, "isBad")
    })
  )
})
