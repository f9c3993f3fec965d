/** The presets of a server that does not answer everything. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import * as HttpDoor from "#src/presets/door/HttpDoor"
import { PresetDoor } from "#src/presets/door/PresetDoor"

const version = (number: number) => ({
  id: `01900000-0000-7000-8000-00000000000${number}`,
  version: number,
  system_prompt: null,
  config: { model: `model-${number}` }
})

const preset = {
  slug: "notes",
  name: "notes",
  description: null,
  status: "active",
  updated_at: "2030-01-02T03:04:05.000Z",
  workspace_id: "one",
  designated_version: version(1)
}

type Answers = Readonly<Record<string, readonly [status: number, body: unknown]>>

/** What a server with one preset says, whose second version is labelled. */
const answers: Answers = {
  "/v1/presets/notes": [200, { data: preset }],
  "/v1/presets/notes/labels": [200, { data: [{ label: "production", version: 2 }] }],
  "/v1/presets/notes/versions": [200, { data: [version(1)], total_count: 3 }],
  "/v1/presets/notes/versions/1": [200, { data: version(1) }],
  "/v1/presets/notes/versions/2": [200, { data: version(2) }],
  "/v1/presets/notes/versions/3": [200, { data: { ...version(3), erased_at: "2030-01-03" } }]
}

const serve = (given: Answers) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        const path = new URL(request.url ?? "", "http://a").pathname
        const [status, body] = given[path] ?? [404, { error: { code: 404, message: "None" } }]
        response.writeHead(status, { "content-type": "application/json" })
        response.end(JSON.stringify(body))
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) => Effect.sync(() => server.close())
  )

/** The versions of the preset that a door to the server finds. */
const findIn = Effect.fnUntraced(function* (given: Answers) {
  const server = yield* serve(given)
  const { port } = server.address() as AddressInfo
  const key = Redacted.make(`vbm_${"0".repeat(48)}`)
  const found = yield* Effect.flatMap(PresetDoor, (door) => door.find("notes")).pipe(
    Effect.provide(HttpDoor.layer({ url: `http://127.0.0.1:${port}`, key }))
  )
  return Option.map(found, ({ versions }) => versions.map((each) => each.version))
})

describe("a preset at a server", () => {
  it.live("is found with the versions that are pointed to, but for those without content", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* findIn(answers), Option.some([1, 2]))
    })
  )

  it.live("is not found without a version that the server fails to tell", () =>
    Effect.gen(function* () {
      const failure = [500, { error: { code: 500, message: "Internal Server Error" } }] as const
      const path = "/v1/presets/notes/versions/2"
      const refusal = yield* Effect.flip(findIn({ ...answers, [path]: failure }))
      assert.deepInclude(refusal, { reason: "Refused", sentence: "Internal Server Error" })
    })
  )
})
