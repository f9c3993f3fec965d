/** Reads OpenTelemetry's own variables. Nothing is sent until an endpoint is set. */
import { Config, Option, Record, Redacted, Schema } from "effect"
import { isServerUrl, makeShape } from "../settings/Setting.ts"

/** The kinds of telemetry, as URLs name them. */
const signals = ["traces", "metrics", "logs"] as const
export type Signal = (typeof signals)[number]

/**
 * The supported protocols. OpenTelemetry has a third one, which needs HTTP/2 in both directions.
 */
const protocols = ["http/protobuf", "http/json"] as const
type Protocol = (typeof protocols)[number]

/** The configuration of telemetry: which signals to send, and to which URLs. */
export interface TelemetryConfiguration {
  /** The URLs of the signals that are sent. Other signals have none. */
  readonly urls: Partial<Readonly<Record<Signal, string>>>
  readonly protocol: Protocol
  /** Headers for every request, such as an API key. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
}

const decode = Option.liftThrowable(decodeURIComponent)

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

/**
 * Parses `name=value,name=value`, where values can contain escapes. Returns undefined if the string
 * is malformed.
 */
const toPairs = (text: string): Pairs | undefined => {
  const pairs: Array<readonly [string, string]> = []
  for (const part of text.split(",").filter((each) => each.trim() !== "")) {
    const at = part.indexOf("=")
    const name = part.slice(0, at).trim()
    const value = decode(part.slice(at + 1).trim())
    if (at === -1 || name === "" || Option.isNone(value)) return undefined
    pairs.push([name, value.value])
  }
  return pairs
}

const isHeader = ([name, value]: Pairs[number]): boolean =>
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value)

const endpoint = (name: string) =>
  Config.schema(makeShape(name, isServerUrl), name).pipe(Config.option)

/** A signal is sent unless a different exporter is set for it. */
const isExported = (signal: Signal) =>
  Config.String(`OTEL_${signal.toUpperCase()}_EXPORTER`).pipe(
    Config.withDefault("otlp"),
    Config.map((names) => names.split(",").some((name) => name.trim() === "otlp"))
  )

/**
 * Returns the URL of a signal. A signal's own endpoint is used unchanged, while the common
 * endpoint gets a path.
 */
const urlOf = (signal: Signal) =>
  Config.all({
    own: endpoint(`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`),
    base: endpoint("OTEL_EXPORTER_OTLP_ENDPOINT"),
    isExported: isExported(signal)
  }).pipe(
    Config.map(({ base, isExported: isSent, own }) => {
      const based = Option.map(base, (url) => `${url.replace(/\/$/, "")}/v1/${signal}`)
      return isSent ? Option.orElse(own, () => based) : Option.none<string>()
    })
  )

const protocolName = "OTEL_EXPORTER_OTLP_PROTOCOL"

const protocol: Config.Config<Protocol> = Config.schema(
  makeShape(protocolName, Schema.is(Schema.Literals(protocols))),
  protocolName
).pipe(
  Config.withDefault(protocols[0]),
  Config.map((name) => (name === "http/json" ? name : "http/protobuf"))
)

const headersName = "OTEL_EXPORTER_OTLP_HEADERS"

const areHeaders = (text: string): boolean => toPairs(text)?.every(isHeader) ?? false

const headers = Config.schema(
  Schema.Redacted(makeShape(headersName, areHeaders)),
  headersName
).pipe(
  Config.map((text) =>
    Object.fromEntries(
      (toPairs(Redacted.value(text)) ?? []).map(([name, value]) => [name, Redacted.make(value)])
    )
  ),
  Config.withDefault({})
)

const attributesName = "OTEL_RESOURCE_ATTRIBUTES"

const attributes = Config.schema(
  makeShape(attributesName, (text) => toPairs(text) !== undefined),
  attributesName
).pipe(
  Config.withDefault(""),
  Config.map((text): Readonly<Record<string, string>> => Object.fromEntries(toPairs(text) ?? []))
)

/** Reads the telemetry variables. */
export const telemetryConfiguration: Config.Config<TelemetryConfiguration> = Config.all({
  isDisabled: Config.Boolean("OTEL_SDK_DISABLED").pipe(Config.withDefault(false)),
  traces: urlOf("traces"),
  metrics: urlOf("metrics"),
  logs: urlOf("logs"),
  protocol,
  headers,
  name: Config.String("OTEL_SERVICE_NAME").pipe(Config.option),
  attributes
}).pipe(
  Config.map(({ isDisabled, logs, metrics, name, traces, ...read }) => ({
    protocol: read.protocol,
    headers: read.headers,
    attributes: read.attributes,
    serviceName: Option.getOrElse(name, () => read.attributes["service.name"] ?? "verbatim"),
    urls: isDisabled ? {} : Record.getSomes({ traces, metrics, logs })
  }))
)
