/** Tests how commands read and write presets, both at a server and in the server's store. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ExactNumber } from "@verbatim/core/schema"
import { ConfigProvider, Effect, Option } from "effect"
import { assert, describe, it } from "vitest"
import { type Api, call } from "#src/command/ApiCalls"
import { withApi } from "#src/command/ApiFlags"
import { findPreset, mustFind, readVersion, toBody } from "#src/presets/PresetCalls"
import { environment, type Settings } from "../ServerProcess.ts"
import { useKeyedServer } from "./useKeyedServer.ts"

const { root, ways } = await useKeyedServer()

/** Runs an effect with the API of these settings. */
const runWith = <A, E>(settings: Settings, calling: Effect.Effect<A, E, Api>) =>
  withApi({ url: Option.none(), workspace: Option.none() }, calling).pipe(
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: environment(root, settings) })
    ),
    Effect.runPromise
  )

/** Returns a refusal's reason. */
const reasonOf = <A, E, R>(calling: Effect.Effect<A, E, R>) =>
  Effect.match(calling, {
    onFailure: (error): string => Object(error).reason,
    onSuccess: () => "done"
  })

for (const [way, settingsOf] of Object.entries(ways)) {
  const test = (sentence: string, calling: Effect.Effect<unknown, unknown, Api>) =>
    it(sentence, async () => void (await runWith(await settingsOf("management"), calling)))

  describe(`presets read through calls (${way})`, () => {
    test(
      "keep all digits of numbers and the order of fields",
      Effect.gen(function* () {
        const slug = `exact-${way}`
        const body = '{"top_k":18446744073709551616,"model":"a"}'
        const exact = toBody<object>(Option.getOrThrow(ExactNumber.parse(body)))
        yield* call(({ presets }) => presets.createFromResponses(slug, exact))
        const version = yield* readVersion(yield* mustFind(slug), "designated")
        assert.strictEqual(JSON.stringify(version.config), body)
      })
    )

    test(
      "are found together with every version that has a pointer",
      Effect.gen(function* () {
        const slug = `found-${way}`
        assert.isTrue(Option.isNone(yield* findPreset(slug)))
        const add = (stage?: boolean) =>
          call(({ presets }) => presets.createFromResponses(slug, { model: "a" }, { stage }))
        yield* add()
        yield* add(true)
        yield* call(({ presets }) => presets.labels.move(slug, "staging", { version: 2 }))
        yield* add(true)
        const found = yield* mustFind(slug)
        assert.deepInclude(found, { designatedVersion: 1, latestVersion: 3, status: "active" })
        assert.deepStrictEqual([...found.labels], [["staging", 2]])
        const numbers = found.versions.map(({ version }) => version)
        assert.deepStrictEqual(numbers.toSorted(), [1, 2, 3])
        for (const point of [9, "nowhere", "constructor"]) {
          assert.strictEqual(yield* reasonOf(readVersion(found, point)), "NotFound")
        }
        yield* call(({ presets }) => presets.designate(slug, { version: 3 }))
        yield* call(({ presets }) => presets.erase(slug, 1))
        assert.strictEqual(yield* reasonOf(readVersion(found, 1)), "Refused")
      })
    )
  })
}

describe("a preset on another server", () => {
  const version = (number: number, more = {}) => ({
    id: `01900000-0000-7000-8000-00000000000${number}`,
    ...{ version: number, system_prompt: null, config: { model: "m" }, ...more }
  })
  const preset = {
    ...{ slug: "notes", name: "notes", description: null, status: "active", workspace_id: "one" },
    designated_version: version(1)
  }
  type Answers = Readonly<Record<string, readonly [status: number, body: unknown]>>
  const answers: Answers = {
    "/v1/presets/notes": [200, { data: preset }],
    "/v1/presets/notes/labels": [200, { data: [{ label: "production", version: 2 }] }],
    "/v1/presets/notes/versions": [200, { data: [version(1)], total_count: 3 }],
    "/v1/presets/notes/versions/1": [200, { data: version(1) }],
    "/v1/presets/notes/versions/2": [200, { data: version(2) }],
    "/v1/presets/notes/versions/3": [200, { data: version(3, { erased_at: "2030-01-03" }) }]
  }

  /** Searches for a preset on a server that gives these responses. */
  const findIn = async (given: Answers) => {
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? "", "http://a").pathname
      const [status, body] = given[path] ?? [404, { error: { code: 404, message: "None" } }]
      response.writeHead(status, { "content-type": "application/json" })
      response.end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const settings = { VERBATIM_URL: `http://127.0.0.1:${port}`, VERBATIM_KEY: "a-key" }
    const found = Effect.match(findPreset("notes"), {
      onFailure: ({ sentence }) => sentence,
      onSuccess: Option.map(({ versions }) => versions.map((each) => each.version))
    })
    return runWith(settings, found).finally(() => server.close())
  }

  it("is read with the versions that have pointers, except versions without content", async () => {
    assert.deepStrictEqual(await findIn(answers), Option.some([1, 2]))
  })

  it("is refused if a version cannot be read, or if a response is invalid", async () => {
    const path = "/v1/presets/notes/versions/2"
    const failure = [500, { error: { code: 500, message: "Internal Server Error" } }] as const
    assert.strictEqual(await findIn({ ...answers, [path]: failure }), "Internal Server Error")
    const other = { ...answers, "/v1/presets/notes": [200, { hello: 1 }] as const }
    assert.include(await findIn(other), "Cannot read the server's answer")
  })
})
