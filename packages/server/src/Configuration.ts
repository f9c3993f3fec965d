/**
 * What an operator sets by environment variables, with every default and every limit. An empty
 * variable is the same as none.
 */

import { availableParallelism } from "node:os"
import { join, resolve } from "node:path"
import { cacheFolder } from "@verbatim/adapters/engines"
import { type DialectName, dialectNames, Provider } from "@verbatim/adapters/openai"
import { ModelSource } from "@verbatim/adapters/whisper"
import type { Retention } from "@verbatim/core/job"
import * as Networks from "@verbatim/core/outbound"
import type { ListenerLimits } from "@verbatim/core/services"
import {
  isAcceptableToken,
  type RetentionRule,
  type SecretText,
  secretsFrom
} from "@verbatim/core/workspace"
import type { Origins } from "@verbatim/http"
import { Array, Config, Duration, Effect, Option, Redacted, Result, Schema } from "effect"
import { type DatabaseLocation, databaseLocation } from "./DatabaseLocation.ts"
import { type LogConfiguration, logConfiguration } from "./Logging.ts"
import { type Bucket, bucketAccess, bucketOf, isBucketUrl } from "./Media.ts"
import { flag, number, numberOrNull, secretOf, text, textOf } from "./settings/Setting.ts"
import { summarizerNames, transcriberNames } from "./settings/Variables.ts"
import {
  type TelemetryConfiguration,
  telemetryConfiguration
} from "./telemetry/TelemetryConfiguration.ts"

/** What a process does: answer requests, do the work, or both. */
const Role = Schema.Literals(["http", "worker"])
type Role = typeof Role.Type

/** A port, or that nobody should listen. */
type HealthPort = number | "off"

/** The configuration of one process. */
export interface Configuration {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Where a process that only works tells how it is doing; none where nothing is named. */
  readonly healthPort: Option.Option<HealthPort>
  /** Open at the same time, from everywhere and from one address. */
  readonly connections: number
  readonly connectionsPerAddress: number
  /** Whose pages may call from a browser. */
  readonly corsOrigins: Origins
  /** Under way at the same time. */
  readonly requestsPerKey: number
  /** Who listen or wait at the same time. */
  readonly listenerLimits: ListenerLimits
  readonly dataDirectory: string
  readonly cacheDirectory: string
  /** Of recognition models: `<model>/<file>`. */
  readonly modelDirectory: string
  readonly modelSource: ModelSource.ModelSource
  /** The model that recognises speech. */
  readonly model: string
  readonly database: DatabaseLocation
  readonly mediaDirectory: string
  /** Where media is kept instead, for processes on many machines. */
  readonly bucket: Option.Option<Bucket>
  /** For decoded audio while it is recognised. */
  readonly workDirectory: string
  readonly roles: ReadonlySet<Role>
  /** In order of preference. */
  readonly transcribers: TranscriberNames
  readonly summarizer: SummarizerName
  readonly openai: OpenAiConfiguration
  readonly metrics: MetricsConfiguration
  /** Whether a process that answers requests has the console. */
  readonly isConsoleOn: boolean
  readonly fileMegabytesMax: number
  readonly transcribeConcurrency: number
  /** Downloads from one origin, or webhooks to one, at the same time. */
  readonly originConcurrency: number
  /** Private networks that outbound requests may reach. */
  readonly allowNetworks: Networks.Networks
  readonly mediaRetention: Retention
  /** Of workspaces that have no rule of their own. */
  readonly retention: RetentionRule
  /** Sign the webhooks of workspaces that have no secret of their own. */
  readonly webhookSecrets: ReadonlyArray<SecretText>
  /** The file of templates; none when there are no templates. */
  readonly templatesFile: Option.Option<string>
  readonly bootstrapManagementKey: Option.Option<Redacted.Redacted>
  readonly bootstrapInferenceKey: Option.Option<Redacted.Redacted>
  /** Is a key at every start, not at the first one alone. */
  readonly bootstrapOperatorKey: Option.Option<Redacted.Redacted>
  readonly bootstrapMinutes: number
  readonly log: LogConfiguration
  readonly telemetry: TelemetryConfiguration
}

const isRoles = (roles: string): boolean => splitRoles(roles).every(Schema.is(Role))

const splitRoles = (roles: string): ReadonlyArray<string> => roles.split(",").map((r) => r.trim())

const toRoles = (roles: string): ReadonlySet<Role> =>
  new Set(splitRoles(roles).filter(Schema.is(Role)))

const roles = textOf("ROLES", isRoles).pipe(Config.withDefault("http,worker"), Config.map(toRoles))

const allowNetworks = textOf("ALLOW_NETWORKS", (list) =>
  Result.isSuccess(Networks.fromText(list))
).pipe(
  Config.withDefault(""),
  Config.map((list) => Result.getOrElse(Networks.fromText(list), (): Networks.Networks => []))
)

/** Where a process that only works is asked, unless a port is named: beside that of the API. */
export const usualHealthPort = 8_788

const healthPortMax = 65_535

const isHealthPort = (text: string): boolean =>
  text === "off" || (/^\d{1,5}$/.test(text) && Number(text) <= healthPortMax)

const healthPort = textOf("HEALTH_PORT", isHealthPort).pipe(
  Config.map((text): HealthPort => (text === "off" ? text : Number(text))),
  Config.option
)

const corsOrigins = textOf("CORS_ORIGINS", (list) => originsFrom(list) !== undefined).pipe(
  Config.withDefault(""),
  Config.map((list): Origins => originsFrom(list) ?? new Set<string>())
)

/** A key that the operator supplies; its value appears in no message. */
const bootstrapKey = (
  name: "INFERENCE_KEY" | "MANAGEMENT_KEY" | "OPERATOR_KEY"
): Config.Config<Option.Option<Redacted.Redacted>> =>
  secretOf(`BOOTSTRAP_${name}`, isAcceptableToken).pipe(Config.option)

const secretsIn = (text: string): ReadonlyArray<SecretText> => secretsFrom(text) ?? []

const webhookSecrets: Config.Config<ReadonlyArray<SecretText>> = secretOf(
  "WEBHOOK_SECRET",
  (text) => secretsFrom(text) !== undefined
).pipe(
  Config.map((text) => secretsIn(Redacted.value(text))),
  Config.withDefault([])
)

/** An operator lists some; each request is compared with them. */
const originMax = 100

/** Schemes of the web, and those that applications with a browser inside them have. */
const originPattern = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,*]+$/

/** Whether a text is an origin as a browser writes it: `https://app.example.com:8443`. */
const isOrigin = (text: string): boolean => {
  if (!originPattern.test(text) || text !== text.toLowerCase()) return false
  const url = URL.parse(text)
  return url !== null && (!/^https?:$/.test(url.protocol) || url.origin === text)
}

/** Reads a list of origins, separated by commas, or `*`; nothing where it is neither. */
export const originsFrom = (text: string): Origins | undefined => {
  const parts = text.split(",").map((part) => part.trim())
  if (parts.length === 1 && parts[0] === "*") return "*"
  return parts.length <= originMax && parts.every(isOrigin) ? new Set(parts) : undefined
}

export type TranscriberName = (typeof transcriberNames)[number]
export type SummarizerName = (typeof summarizerNames)[number]

/** Engines in order of preference. */
export type TranscriberNames = Array.NonEmptyReadonlyArray<TranscriberName>

const splitNames = (list: string): ReadonlyArray<string> => list.split(",").map((n) => n.trim())

const isTranscriberName = (name: string): name is TranscriberName =>
  transcriberNames.some((known) => known === name)

/** Whether a text lists engines, each once. */
const isTranscribers = (list: string): boolean => {
  const names = splitNames(list)
  return names.every(isTranscriberName) && new Set(names).size === names.length
}

/** The engines that a text lists. */
const toTranscribers = (list: string): TranscriberNames => {
  const names = splitNames(list).filter(isTranscriberName)
  return Array.isReadonlyArrayNonEmpty(names) ? names : ["auto"]
}

/** One server, and what to ask it for. */
interface Server {
  readonly url: string
  readonly key: Option.Option<Redacted.Redacted>
}

/** Both servers; often they are one. */
export interface OpenAiConfiguration {
  readonly transcription: Server & {
    readonly model: string
    readonly dialect: DialectName
    readonly uploadBytesMax: number
  }
  readonly summary: Server & {
    readonly model: string
    readonly partBytesMax: number
    /** Whether a model was named, so that `auto` takes it. */
    readonly isChosen: boolean
  }
}

/** OpenAI's oldest model is the one that times words. */
const transcriptionModel = "whisper-1"

const summaryModel = "gpt-4o-mini"

const isServer = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return url.username === "" && url.password === "" && url.search === "" && url.hash === ""
}

const address = (name: "BASE_URL" | "SUMMARY_BASE_URL") => textOf(`OPENAI_${name}`, isServer)

const isKey = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

const key = (
  name: "API_KEY" | "SUMMARY_API_KEY"
): Config.Config<Option.Option<Redacted.Redacted>> =>
  secretOf(`OPENAI_${name}`, isKey).pipe(Config.option)

const isModel = (text: string): boolean => /^[\x21-\x7e]{1,200}$/.test(text)

const model = (name: "SUMMARY_MODEL" | "TRANSCRIPTION_MODEL") => textOf(`OPENAI_${name}`, isModel)

/** Every variable that begins with `VERBATIM_OPENAI_`. */
export const openaiConfiguration: Config.Config<OpenAiConfiguration> = Config.all({
  key: key("API_KEY"),
  url: address("BASE_URL").pipe(Config.withDefault(Provider.openaiUrl)),
  transcriptionModel: model("TRANSCRIPTION_MODEL").pipe(Config.withDefault(transcriptionModel)),
  dialect: Config.Literals(dialectNames, "VERBATIM_OPENAI_DIALECT").pipe(
    Config.withDefault("openai")
  ),
  uploadMegabytes: number("OPENAI_UPLOAD_MB"),
  summaryKey: key("SUMMARY_API_KEY"),
  summaryUrl: address("SUMMARY_BASE_URL").pipe(Config.option),
  summaryModel: model("SUMMARY_MODEL").pipe(Config.option),
  partKilobytes: number("OPENAI_SUMMARY_PART_KB")
}).pipe(
  Config.map((read) => ({
    transcription: {
      url: read.url,
      key: read.key,
      model: read.transcriptionModel,
      dialect: read.dialect,
      uploadBytesMax: read.uploadMegabytes * 1_000_000
    },
    summary: {
      url: Option.getOrElse(read.summaryUrl, () => read.url),
      key: Option.isSome(read.summaryUrl)
        ? read.summaryKey
        : Option.orElse(read.summaryKey, () => read.key),
      model: Option.getOrElse(read.summaryModel, () => summaryModel),
      isChosen: Option.isSome(read.summaryModel),
      partBytesMax: read.partKilobytes * 1024
    }
  }))
)

/** Who may read. */
export interface MetricsConfiguration {
  /** Otherwise there is no such route. */
  readonly isOn: boolean
  /** What a reader sends as a bearer token; none where everybody may read who gets through. */
  readonly token: Option.Option<Redacted.Redacted>
}

/** Enough not to be guessed, and no longer than any header takes. */
const tokenText = /^[!-~]{16,512}$/

/** `VERBATIM_METRICS` and `VERBATIM_METRICS_TOKEN`. */
const metricsConfiguration: Config.Config<MetricsConfiguration> = Config.all({
  isOn: flag("METRICS"),
  token: secretOf("METRICS_TOKEN", (text) => tokenText.test(text)).pipe(Config.option)
})

/** Addresses that only this machine reaches. */
const ownAddress = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

const openMetrics =
  "GET /metrics answers every caller who reaches this address: set VERBATIM_METRICS_TOKEN, or " +
  "keep the path from others at the proxy"

/** Warns of metrics that every caller may read, unless only this machine can call. */
export const warnOfOpen = (
  { isOn, token }: MetricsConfiguration,
  host: string
): Effect.Effect<void> =>
  isOn && Option.isNone(token) && !ownAddress.test(host)
    ? Effect.logWarning(openMetrics)
    : Effect.void

/** Every variable, read and checked. `VERBATIM_` is left out of the names here. */
export const configuration: Config.Config<Configuration> = Config.all({
  host: text("HOST"),
  port: number("PORT"),
  healthPort,
  connections: number("CONNECTIONS"),
  connectionsPerAddress: number("CONNECTIONS_PER_ADDRESS"),
  corsOrigins,
  requestsPerKey: number("REQUESTS_PER_KEY"),
  listenerLimits: Config.all({
    all: number("LISTENERS"),
    workspace: number("LISTENERS_PER_WORKSPACE"),
    key: number("LISTENERS_PER_KEY")
  }),
  dataDirectory: text("DATA_DIR").pipe(Config.map((path) => resolve(path))),
  cacheDirectory: text("CACHE_DIR", cacheFolder()).pipe(Config.map((path) => resolve(path))),
  locate: databaseLocation,
  models: text("MODELS", ""),
  modelSource: textOf("MODEL_SOURCE", ModelSource.isText).pipe(
    Config.withDefault(ModelSource.defaultText),
    Config.map(ModelSource.fromText)
  ),
  model: text("MODEL"),
  mediaUrl: textOf("MEDIA_URL", (url) => /^file:.+$/.test(url) || isBucketUrl(url)).pipe(
    Config.withDefault("")
  ),
  bucketAccess,
  roles,
  transcribers: textOf("TRANSCRIBER", isTranscribers).pipe(
    Config.withDefault("auto"),
    Config.map(toTranscribers)
  ),
  summarizer: Config.Literals(summarizerNames, "VERBATIM_SUMMARIZER").pipe(
    Config.withDefault("auto")
  ),
  openai: openaiConfiguration,
  metrics: metricsConfiguration,
  isConsoleOn: flag("CONSOLE"),
  fileMegabytesMax: number("MAX_FILE_MB"),
  transcribeConcurrency: number("TRANSCRIBE_CONCURRENCY", availableParallelism()),
  originConcurrency: number("ORIGIN_CONCURRENCY"),
  allowNetworks,
  mediaRetention: Config.all({
    isKept: flag("KEEP_MEDIA"),
    failedFor: Config.Duration("VERBATIM_KEEP_FAILED_MEDIA").pipe(
      Config.withDefault(Duration.days(7))
    )
  }),
  retention: Config.all({
    mediaDays: numberOrNull("RETENTION_MEDIA_DAYS"),
    transcriptDays: numberOrNull("RETENTION_TRANSCRIPT_DAYS"),
    jobDays: numberOrNull("RETENTION_JOB_DAYS")
  }),
  webhookSecrets,
  templatesFile: Config.String("VERBATIM_TEMPLATES").pipe(
    Config.map((path) => resolve(path)),
    Config.option
  ),
  bootstrapManagementKey: bootstrapKey("MANAGEMENT_KEY"),
  bootstrapInferenceKey: bootstrapKey("INFERENCE_KEY"),
  bootstrapOperatorKey: bootstrapKey("OPERATOR_KEY"),
  bootstrapMinutes: number("BOOTSTRAP_MINUTES"),
  log: logConfiguration,
  telemetry: telemetryConfiguration
}).pipe(
  Config.map(({ bucketAccess: access, locate, mediaUrl, models, ...settings }) => ({
    ...settings,
    modelDirectory: models === "" ? join(settings.cacheDirectory, "models") : resolve(models),
    database: locate(settings.dataDirectory),
    workDirectory: join(settings.dataDirectory, "work"),
    bucket: bucketOf(mediaUrl, access),
    mediaDirectory: mediaUrl.startsWith("file:")
      ? mediaPath(mediaUrl)
      : join(settings.dataDirectory, "media")
  }))
)

/** `file:media`, `file:/srv/media` and `file:///srv/media` all name a directory. */
const mediaPath = (url: string): string =>
  resolve(url.slice("file:".length).replace(/^\/\/(?=\/)/, ""))
