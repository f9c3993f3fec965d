/** Tests OpenTelemetry's environment variables. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { telemetryConfiguration } from "#src/telemetry/TelemetryConfiguration"

const parse = (variables: Readonly<Record<string, string>>) =>
  telemetryConfiguration.parse(
    ConfigProvider.fromUnknown(
      Object.fromEntries(Object.entries(variables).map(([name, value]) => [`OTEL_${name}`, value]))
    )
  )

const endpoint = { EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }

const urls = {
  traces: "http://collector:4318/v1/traces",
  metrics: "http://collector:4318/v1/metrics",
  logs: "http://collector:4318/v1/logs"
}

describe("the telemetry configuration", () => {
  for (const [what, variables, expected] of [
    ["nowhere without an endpoint", {}, {}],
    ["nowhere if it is switched off", { ...endpoint, SDK_DISABLED: "true" }, {}],
    ["below the endpoint", endpoint, urls],
    ["below a path", { EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" }, urls],
    [
      "exactly to a signal's own endpoint",
      { EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/in" },
      { traces: "https://traces.example/in" }
    ],
    [
      "nowhere for signals that have another exporter",
      { ...endpoint, METRICS_EXPORTER: "none", LOGS_EXPORTER: "console" },
      { traces: urls.traces }
    ]
  ] as const) {
    it.effect(`sends telemetry ${what}`, () =>
      Effect.map(parse(variables), (read) => assert.deepStrictEqual(read.urls, expected))
    )
  }

  it.effect("accepts names and values of headers and resource attributes", () =>
    Effect.gen(function* () {
      const read = yield* parse({
        EXPORTER_OTLP_HEADERS: " api-key = a%20b ,other=c=d,",
        RESOURCE_ATTRIBUTES: "service.name=one,team=harbour%2C%20east",
        EXPORTER_OTLP_PROTOCOL: "http/json"
      })
      const headers = Object.entries(read.headers).map(([name, value]) => [
        name,
        Redacted.value(value)
      ])
      assert.deepStrictEqual(headers, [
        ["api-key", "a b"],
        ["other", "c=d"]
      ])
      assert.strictEqual(read.serviceName, "one")
      assert.strictEqual(read.attributes.team, "harbour, east")
      assert.strictEqual(read.protocol, "http/json")
      const named = yield* parse({ SERVICE_NAME: "two", RESOURCE_ATTRIBUTES: "service.name=one" })
      assert.strictEqual(named.serviceName, "two")
      assert.strictEqual((yield* parse({})).serviceName, "verbatim")
      assert.strictEqual((yield* parse({})).protocol, "http/protobuf")
    })
  )

  for (const [name, value, said] of [
    ["EXPORTER_OTLP_PROTOCOL", "grpc", "http/protobuf or http/json"],
    ["EXPORTER_OTLP_ENDPOINT", "collector:4318", "a URL like http://localhost:4318"],
    ["EXPORTER_OTLP_ENDPOINT", "http://me:secret@collector:4318", "a URL like"],
    ["EXPORTER_OTLP_HEADERS", "secret", "names and values like"],
    ["EXPORTER_OTLP_HEADERS", "a b=secret", "names and values like"],
    ["EXPORTER_OTLP_HEADERS", "a=secret%0Ax", "names and values like"],
    ["RESOURCE_ATTRIBUTES", "team=%zz", "names and values like"]
  ] as const) {
    it.effect(`refuses ${name}=${value}`, () =>
      Effect.map(Effect.flip(parse({ [name]: value })), (error) => {
        assert.include(error.message, `Expected ${said}`)
        assert.include(error.message, `OTEL_${name}`)
        assert.notInclude(error.message, "secret")
      })
    )
  }
})
