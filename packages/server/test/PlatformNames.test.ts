/** Tests that variables of hosting platforms are read if Verbatim's own are not set. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, ConfigProvider, Effect, Option, Redacted, Schema } from "effect"
import { configuration } from "#src/Configuration"
import { findMistakes } from "#src/SettingMistakes"
import * as PlatformNames from "#src/settings/PlatformNames"
import { operateInProcess } from "./operateInProcess.ts"
import { dataDirectory, ServerProcess } from "./ServerProcess.ts"

type Environment = Readonly<Record<string, string>>

/**
 * For each variable that a platform sets too, a value of Verbatim's own and one of the platform's.
 */
const values = {
  PORT: ["1000", "2000"],
  DATABASE_URL: ["sqlite:own.db", "sqlite:platform.db"],
  OPENAI_BASE_URL: ["https://own.example/v1", "https://platform.example/v1"],
  OPENAI_API_KEY: ["own", "platform"]
} as const

const inCommand = <A, E>(effect: Effect.Effect<A, E>, command: string, env: Environment) =>
  effect.pipe(
    Effect.provide(PlatformNames.layer(command)),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
  )

const read = Effect.map(configuration, ({ database, openai, port }) => ({
  PORT: `${port}`,
  DATABASE_URL: database._tag === "Sqlite" ? database.filename : "",
  OPENAI_BASE_URL: openai.transcription.url,
  OPENAI_API_KEY: Option.map(openai.transcription.key, Redacted.value)
}))

const sample = Arbitrary.schema(
  Schema.Struct({
    own: Schema.Array(Schema.Literals(Object.keys(values))),
    platform: Schema.Array(Schema.Literals(Object.keys(values))),
    command: Schema.Literals(["serve", "transcribe", "workers"])
  })
)

describe("a platform's variable", () => {
  it.effect.prop(
    "is read only if it applies and Verbatim's own variable is not set",
    [sample],
    ([{ command, own, platform }]) =>
      Effect.gen(function* () {
        const isRead: Readonly<Record<string, boolean>> = {
          PORT: command === "serve",
          DATABASE_URL: command !== "transcribe",
          OPENAI_BASE_URL: !own.includes("OPENAI_API_KEY"),
          OPENAI_API_KEY: !own.includes("OPENAI_BASE_URL")
        }
        const given: Record<string, string> = {}
        const expected: Record<string, string> = {}
        for (const [name, [ownValue, platformValue]] of Object.entries(values)) {
          const isOwn = own.includes(name)
          if (isOwn) given[`VERBATIM_${name}`] = ownValue
          if (platform.includes(name)) given[name] = platformValue
          if (isOwn) expected[`VERBATIM_${name}`] = ownValue
          else if (platform.includes(name) && isRead[name])
            expected[`VERBATIM_${name}`] = platformValue
        }
        const env = ConfigProvider.fromEnv({ env: expected })
        const without = Effect.provideService(read, ConfigProvider.ConfigProvider, env)
        assert.deepStrictEqual(yield* inCommand(read, command, given), yield* without)
      })
  )

  it.effect("is named in the message about its invalid value, which is not shown", () =>
    Effect.gen(function* () {
      const env = { DATABASE_URL: "mysql://me:hush@host/shop", PORT: "tcp://10.0.0.1:80" }
      assert.sameMembers(
        [...(yield* inCommand(findMistakes, "serve", env))],
        [
          "DATABASE_URL must be sqlite:<file>, postgres://<user>:<password>@<host>/<database>, " +
            "or memory:. If it belongs to another program, set VERBATIM_DATABASE_URL.",
          "PORT must be a whole number from 0 to 65535. If it belongs to another program, set " +
            "VERBATIM_PORT."
        ]
      )
    })
  )

  it("cannot stop a command that does not need the variable", async () => {
    await using directory = await dataDirectory()
    const env = { DATABASE_URL: "mysql://host/shop", PORT: "none", VERBATIM_PORT: "" }
    const stored = await operateInProcess(directory.path, ["workers"], env)
    assert.include(stored.stderr, "DATABASE_URL must be")
    assert.notInclude(stored.stderr, "PORT must be")
    const missing = `${directory.path}/missing.mp3`
    const local = await operateInProcess(directory.path, ["transcribe", missing], env)
    assert.include(local.stderr, "missing.mp3")
    assert.notInclude(local.stderr, "must be")
  })

  it("is named in the log when a server that uses it starts", async () => {
    await using directory = await dataDirectory()
    const database = `sqlite:${directory.path}/elsewhere.db`
    await using server = await ServerProcess.start(directory.path, {
      VERBATIM_PORT: "",
      PORT: "0",
      DATABASE_URL: database
    })
    assert.notMatch(server.address, /:8787$/)
    await server.saying(/VERBATIM_PORT is not set; using PORT\./)
    await server.saying(/VERBATIM_DATABASE_URL is not set; using DATABASE_URL\./)
    assert.notInclude(server.errors, "elsewhere")
  })
})
