import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, ConfigProvider, Effect, Option, Redacted, Schema } from "effect"
import { configuration } from "#src/Configuration"
import { findMistakes } from "#src/SettingMistakes"
import { limitsOf } from "#src/settings/Variable"
import { parts } from "#src/settings/Variables"

const parse = (environment: Readonly<Record<string, string>>) =>
  configuration.parse(
    ConfigProvider.fromUnknown(
      Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [`VERBATIM_${name}`, value])
      )
    )
  )

const secret = `whsec_${"A".repeat(32)}`
const other = `whsec_${"B".repeat(32)}`

describe("Configuration", () => {
  it.effect("has the documented defaults", () =>
    Effect.gen(function* () {
      const settings = yield* parse({})
      assert.strictEqual(settings.port, 8787)
      assert.strictEqual(settings.maxFileMegabytes, 200)
      assert.strictEqual(settings.bootstrapMinutes, 600)
      assert.deepStrictEqual([...settings.roles], ["http", "worker"])
      assert.deepStrictEqual(settings.allowedNetworks, [])
      assert.deepStrictEqual(settings.webhookSecrets, [])
      assert.isTrue(Option.isNone(settings.templatesFile))
    })
  )

  it.effect.each([
    ["0", 0],
    ["0.01", 0.01],
    ["60.5", 60.5],
    ["10000000", 1e7]
  ] as const)("accepts %s as the number of bootstrap minutes", ([text, minutes]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* parse({ BOOTSTRAP_MINUTES: text })).bootstrapMinutes, minutes)
    })
  )

  it.effect(
    "accepts an origin concurrency of up to 64, the most webhooks that a process sends at once",
    () =>
      Effect.gen(function* () {
        const taken = (text: string) =>
          Effect.map(parse({ ORIGIN_CONCURRENCY: text }), (settings) => settings.originConcurrency)
        assert.deepStrictEqual(
          [yield* taken(""), yield* taken("1"), yield* taken("64")],
          [4, 1, 64]
        )
        for (const text of ["0", "65", "4.5", "four"]) {
          assert.include(String(yield* Effect.flip(taken(text))), "VERBATIM_ORIGIN_CONCURRENCY")
        }
      })
  )

  it.effect("accepts networks of both families, separated by commas", () =>
    Effect.gen(function* () {
      const { allowedNetworks } = yield* parse({ ALLOW_NETWORKS: "10.0.0.0/8, fd00::/8" })
      assert.deepStrictEqual(
        allowedNetworks.map(({ prefixLength }) => prefixLength),
        [8, 8]
      )
    })
  )

  it.effect("accepts several webhook secrets, separated by spaces, and prints none of them", () =>
    Effect.gen(function* () {
      const settings = yield* parse({ WEBHOOK_SECRET: `${secret} ${other}` })
      assert.deepStrictEqual(settings.webhookSecrets.map(Redacted.value), [secret, other])
      assert.notInclude(JSON.stringify(settings), "AAAA")
    })
  )

  it.effect(
    "accepts both keys of a bucket or neither key, and otherwise names the missing key",
    () =>
      Effect.gen(function* () {
        const url = { MEDIA_URL: "s3://media/jobs", S3_ACCESS_KEY_ID: "me" }
        const { bucket } = yield* parse({ ...url, S3_SECRET_ACCESS_KEY: "hush" })
        assert.isTrue(Option.isSome(Option.flatMap(bucket, ({ credentials }) => credentials)))
        const { message } = yield* Effect.flip(parse(url))
        assert.include(message, "VERBATIM_S3_SECRET_ACCESS_KEY")
        const other = yield* Effect.flip(parse({ S3_SECRET_ACCESS_KEY: "hush" }))
        assert.include(other.message, "VERBATIM_S3_ACCESS_KEY_ID")
        assert.notInclude(other.message, "hush")
      })
  )

  it.effect.each([
    ["BOOTSTRAP_MINUTES", "-1"],
    ["BOOTSTRAP_MINUTES", "NaN"],
    ["BOOTSTRAP_MINUTES", "1e400"],
    ["BOOTSTRAP_MINUTES", "many"],
    ["MAX_FILE_MB", "many"],
    ["TRANSCRIBER", "openai,openai"],
    ["BOOTSTRAP_MANAGEMENT_KEY", "hush"],
    ["BOOTSTRAP_MANAGEMENT_KEY", "hush".repeat(8)],
    ["BOOTSTRAP_INFERENCE_KEY", "A".repeat(32)],
    ["BOOTSTRAP_OPERATOR_KEY", "hush"],
    ["BOOTSTRAP_OPERATOR_KEY", "hush".repeat(8)],
    ["DATABASE_URL", "postgres://me:hush@host:port/nothing"],
    ["ALLOW_NETWORKS", "10.0.0.0"],
    ["ALLOW_NETWORKS", "10.0.0.0/33"],
    ["ALLOW_NETWORKS", "intranet"],
    ["WEBHOOK_SECRET", "hush-this-is-secret"],
    ["WEBHOOK_SECRET", `${secret} ${secret.slice(0, 20)}`],
    ["WEBHOOK_SECRET", `${secret},${other}`],
    ["MODEL_SOURCE", "https://me:hush@models.example/all"],
    ["S3_ENDPOINT", "https://me:hush@bucket.example"],
    ["OPENAI_BASE_URL", "https://me:hush@api.example/v1"],
    ["OPENAI_API_KEY", "hush hush"]
  ] as const)("refuses %s=%s without repeating a secret", ([name, value]) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(parse({ [name]: value }))
      assert.include(message, `VERBATIM_${name}`)
      assert.include(message, "Expected")
      assert.notMatch(message, /hush|AAAA/)
    })
  )
})

const mistakesIn = (environment: Readonly<Record<string, string>>) =>
  Effect.provideService(
    findMistakes,
    ConfigProvider.ConfigProvider,
    ConfigProvider.fromEnv({ env: environment })
  )

/** A value that no variable with limits accepts. */
const wrong = "\u{1f41f} hush"

/** The sentence for each variable that does not accept every string. */
const limited: Readonly<Record<string, string>> = Object.fromEntries(
  parts
    .flatMap(({ variables }) => variables)
    // Only the model folder shows which models exist.
    .filter(({ name }) => name !== "MODEL")
    .map((variable) => [`VERBATIM_${variable.name}`, limitsOf(variable)])
    .filter(([, limits]) => limits !== "any text")
)

describe("mistakes in settings", () => {
  it.effect.prop(
    "are all reported together, in the words of the table and without the values",
    [Arbitrary.schema(Schema.NonEmptyArray(Schema.Literals(Object.keys(limited))))],
    ([names]) =>
      Effect.gen(function* () {
        const environment = Object.fromEntries(names.map((name) => [name, wrong]))
        const sentences = [...new Set(names)].map((name) => `${name} must be ${limited[name]}.`)
        assert.sameMembers([...(yield* mistakesIn(environment))], sentences)
      })
  )

  it.effect("are never reported for valid settings", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* mistakesIn({ VERBATIM_PORT: "1", OTHER: "x" }), [])
    })
  )

  it.effect(
    "are also reported for OpenTelemetry's variables, and for an incomplete pair of variables",
    () =>
      Effect.gen(function* () {
        const environment = {
          OTEL_EXPORTER_OTLP_ENDPOINT: "collector",
          VERBATIM_S3_ACCESS_KEY_ID: "me",
          VERBATIM_TEMPLATES: "t.json"
        }
        assert.sameMembers(
          [...(yield* mistakesIn(environment))],
          [
            "OTEL_EXPORTER_OTLP_ENDPOINT must be a URL like http://localhost:4318.",
            "VERBATIM_S3_SECRET_ACCESS_KEY is missing, but another setting needs it."
          ]
        )
      })
  )

  it.effect("are not reported for any of the accepted spellings of yes and no", () =>
    Effect.gen(function* () {
      for (const name of ["CONSOLE", "MCP", "METRICS", "KEEP_MEDIA"]) {
        for (const [yes, no] of [
          ["true", "false"],
          ["on", "off"],
          ["yes", "no"]
        ] as const) {
          const [on, off] = yield* Effect.all([parse({ [name]: yes }), parse({ [name]: no })])
          const said = ({ isConsoleOn, isMcpOn, mediaRetention, metrics }: typeof on) =>
            [isConsoleOn, isMcpOn, metrics.isOn, mediaRetention.isKept].map(Number).join("")
          assert.notStrictEqual(said(on), said(off), `${name}=${yes}`)
        }
      }
    })
  )
})
