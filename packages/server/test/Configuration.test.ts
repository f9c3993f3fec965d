/** Tests that the table lists all variables that the program reads. A new variable needs a row. */

import { availableParallelism } from "node:os"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, ConfigProvider, Effect, Logger, Option, Redacted, Schema } from "effect"
import { configuration, warnAboutOpenMetrics } from "#src/Configuration"
import { findMistakes, variableNames } from "#src/SettingMistakes"
import { limitsOf } from "#src/settings/Variable"
import { parts, telemetryPart } from "#src/settings/Variables"

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

describe("the configuration", () => {
  it.effect("accepts several webhook secrets, separated by spaces, and prints none of them", () =>
    Effect.gen(function* () {
      const settings = yield* parse({ WEBHOOK_SECRET: `${secret} ${other}` })
      assert.deepStrictEqual(settings.webhookSecrets.map(Redacted.value), [secret, other])
      assert.notInclude(JSON.stringify(settings), "AAAA")
    })
  )

  it.effect("accepts both keys of a bucket or neither, and names a missing one", () =>
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

/** A value that is invalid for every variable with a restriction. */
const wrong = "\u{1f41f} hush"

/** The error messages of variables that do not accept every string. */
const limited: Readonly<Record<string, string>> = Object.fromEntries(
  parts
    .flatMap(({ variables }) => variables)
    // Any model name is accepted here, because only the model folder shows which models exist.
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

  it.effect("are also reported for OpenTelemetry's variables and for incomplete pairs", () =>
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
})

const metricsToken = Option.some(Redacted.make("a-token-of-the-tests-0123456789"))

const countLines = Effect.fnUntraced(function* (...given: Parameters<typeof warnAboutOpenMetrics>) {
  let count = 0
  const logger = Logger.make(() => {
    count += 1
  })
  yield* Effect.provide(warnAboutOpenMetrics(...given), Logger.layer([logger]))
  return count
})

describe("metrics without a token", () => {
  it.effect("cause a warning only if other machines can read the metrics", () =>
    Effect.gen(function* () {
      const open = { isOn: true, token: Option.none() }
      for (const host of ["0.0.0.0", "::", "10.0.0.7", "verbatim.example"]) {
        assert.strictEqual(yield* countLines(open, host), 1)
        assert.strictEqual(yield* countLines({ isOn: true, token: metricsToken }, host), 0)
        assert.strictEqual(yield* countLines({ ...open, isOn: false }, host), 0)
      }
      for (const host of ["127.0.0.1", "127.0.0.2", "localhost", "::1"]) {
        assert.strictEqual(yield* countLines(open, host), 0)
      }
    })
  )
})

const all = parts.flatMap(({ variables }) => variables)

const parseAll = (variables: Readonly<Record<string, string>>) =>
  Effect.runPromise(configuration.parse(ConfigProvider.fromUnknown(variables)))

/** The names that the configuration reads. */
const findNames = async () => {
  const names = new Set<string>()
  const provider = ConfigProvider.make((path) =>
    Effect.sync(() => {
      names.add(path.join("_"))
      return undefined
    })
  )
  await Effect.runPromise(configuration.parse(provider))
  const isOwn = (name: string) => name.startsWith("VERBATIM_")
  return Object.groupBy([...names].toSorted(), (name) => (isOwn(name) ? "own" : "others"))
}

describe("the table of variables", () => {
  it("has a row for every variable that the configuration reads", async () => {
    assert.deepStrictEqual((await findNames()).own, variableNames.toSorted())
  })

  it("has a row for every OpenTelemetry variable, with its default", async () => {
    const known = telemetryPart.variables
    assert.deepStrictEqual((await findNames()).others, known.map(({ name }) => name).toSorted())
    for (const { name, unset } of known) {
      if (typeof unset !== "string" || unset === "") continue
      assert.deepStrictEqual(await parseAll({ [name]: unset }), await parseAll({}), name)
    }
  })

  it("shows the defaults that the configuration uses", async () => {
    for (const { name, unset } of all) {
      if (typeof unset === "string") {
        assert.deepStrictEqual(
          await parseAll({ [`VERBATIM_${name}`]: unset }),
          await parseAll({}),
          name
        )
      }
    }
    assert.strictEqual((await parseAll({})).transcribeConcurrency, availableParallelism())
  })
})
