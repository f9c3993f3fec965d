/**
 * Reads all settings of a process from environment variables and checks their limits. An empty
 * variable counts as unset.
 */

import { availableParallelism } from "node:os"
import { join, resolve } from "node:path"
import { cacheFolder } from "@verbatim/adapters/engines"
import { dialectNames, Provider } from "@verbatim/adapters/openai"
import { ModelSource } from "@verbatim/adapters/whisper"
import * as Networks from "@verbatim/core/outbound"
import { isAcceptableToken, type SecretText, secretsFrom } from "@verbatim/core/workspace"
import type { Origins } from "@verbatim/http"
import { Array, Config, Duration, Effect, Option, Redacted, Result, Schema } from "effect"
import { databaseLocation, type StoredLocation } from "./DatabaseLocation.ts"
import { logConfiguration } from "./Logging.ts"
import { bucketAccess, bucketOf, isBucketUrl } from "./Media.ts"
import {
  flag,
  isServerUrl,
  number,
  numberOrNull,
  parseWith,
  secretOf,
  text,
  textOf
} from "./settings/Setting.ts"
import { summarizerNames, transcriberNames } from "./settings/Variables.ts"
import { telemetryConfiguration } from "./telemetry/TelemetryConfiguration.ts"

/** The role of a process: `http` answers requests, and `worker` runs jobs. */
const Role = Schema.Literals(["http", "worker"])
type Role = typeof Role.Type

type HealthPort = number | "off"

const splitNames = (list: string): ReadonlyArray<string> => list.split(",").map((n) => n.trim())

const rolesFrom = (list: string): ReadonlySet<Role> | undefined => {
  const names = splitNames(list)
  return names.every(Schema.is(Role)) ? new Set(names) : undefined
}

const networksFrom = (list: string): Networks.Networks | undefined =>
  Result.getOrElse(Networks.fromText(list), () => undefined)

/**
 * The default port for health checks in a process with only the `worker` role: one above the API's
 * default port.
 */
export const defaultHealthPort = 8_788

const healthPortMax = 65_535

const healthPortFrom = (text: string): HealthPort | undefined => {
  if (text === "off") return text
  return /^\d{1,5}$/.test(text) && Number(text) <= healthPortMax ? Number(text) : undefined
}

/** Reads a key that the operator supplies. No message shows it. */
const bootstrapKey = (
  name: "INFERENCE_KEY" | "MANAGEMENT_KEY" | "OPERATOR_KEY"
): Config.Config<Option.Option<Redacted.Redacted>> =>
  secretOf(`BOOTSTRAP_${name}`, isAcceptableToken).pipe(Config.option)

const webhookSecrets: Config.Config<ReadonlyArray<SecretText>> = secretOf(
  "WEBHOOK_SECRET",
  (text) => secretsFrom(text) !== undefined
).pipe(
  Config.map((text) => secretsFrom(Redacted.value(text)) ?? []),
  Config.withDefault([])
)

/**
 * Maximum number of allowed origins. The limit is low, because the origin of each request is
 * compared with all of them.
 */
const originMax = 100

/** Allows `http`, `https` and the schemes used by applications with an embedded browser. */
const originPattern = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,*]+$/

/**
 * Whether a string is an origin in the form that browsers send, such as
 * `https://app.example.com:8443`.
 */
const isOrigin = (text: string): boolean => {
  if (!originPattern.test(text) || text !== text.toLowerCase()) return false
  const url = URL.parse(text)
  return url !== null && (!/^https?:$/.test(url.protocol) || url.origin === text)
}

/** Reads a comma-separated list of origins, or `*`. Returns undefined for anything else. */
export const originsFrom = (text: string): Origins | undefined => {
  const parts = text.split(",").map((part) => part.trim())
  if (parts.length === 1 && parts[0] === "*") return "*"
  return parts.length <= originMax && parts.every(isOrigin) ? new Set(parts) : undefined
}

export type TranscriberName = (typeof transcriberNames)[number]
export type SummarizerName = (typeof summarizerNames)[number]

/** Names of engines, in order of preference. */
export type TranscriberNames = Array.NonEmptyReadonlyArray<TranscriberName>

const isTranscriberName = (name: string): name is TranscriberName =>
  transcriberNames.some((known) => known === name)

/** Reads a list of engines. Returns undefined if an engine is unknown or repeated. */
const transcribersFrom = (list: string): TranscriberNames | undefined => {
  const names = splitNames(list)
  const isEachOnce = new Set(names).size === names.length
  const known = names.filter(isTranscriberName)
  if (!isEachOnce || known.length < names.length) return undefined
  return Array.isReadonlyArrayNonEmpty(known) ? known : undefined
}

/** The default is OpenAI's oldest model, because newer models return no word timestamps. */
const transcriptionModel = "whisper-1"

const summaryModel = "gpt-4o-mini"

const address = (name: "BASE_URL" | "SUMMARY_BASE_URL") => textOf(`OPENAI_${name}`, isServerUrl)

const isKey = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

const key = (
  name: "API_KEY" | "SUMMARY_API_KEY"
): Config.Config<Option.Option<Redacted.Redacted>> =>
  secretOf(`OPENAI_${name}`, isKey).pipe(Config.option)

const isModel = (text: string): boolean => /^[\x21-\x7e]{1,200}$/.test(text)

const model = (name: "SUMMARY_MODEL" | "TRANSCRIPTION_MODEL") => textOf(`OPENAI_${name}`, isModel)

/** Reads the variables that begin with `VERBATIM_OPENAI_`. */
export const openaiConfiguration = Config.all({
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
      maxUploadBytes: read.uploadMegabytes * 1_000_000
    },
    summary: {
      url: Option.getOrElse(read.summaryUrl, () => read.url),
      key: Option.isSome(read.summaryUrl)
        ? read.summaryKey
        : Option.orElse(read.summaryKey, () => read.key),
      model: Option.getOrElse(read.summaryModel, () => summaryModel),
      isChosen: Option.isSome(read.summaryModel),
      maxPartBytes: read.partKilobytes * 1024
    }
  }))
)

/**
 * Matches a token for the metrics. The token is too long to guess, and short enough for any header.
 */
const tokenText = /^[!-~]{16,512}$/

/** Reads `VERBATIM_METRICS` and `VERBATIM_METRICS_TOKEN`. */
const metricsConfiguration = Config.all({
  isOn: flag("METRICS"),
  token: secretOf("METRICS_TOKEN", (text) => tokenText.test(text)).pipe(Config.option)
})

/** Matches addresses that only this machine can reach. */
const ownAddress = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

const openMetrics =
  "GET /metrics is open to all callers of this address. Set VERBATIM_METRICS_TOKEN, or block " +
  "the path at the proxy."

/** Warns if other machines can read the metrics without a token. */
export const warnAboutOpenMetrics = (
  { isOn, token }: Configuration["metrics"],
  host: string
): Effect.Effect<void> =>
  isOn && Option.isNone(token) && !ownAddress.test(host)
    ? Effect.logWarning(openMetrics)
    : Effect.void

/** Reads all settings, keyed by their variables without `VERBATIM_`. */
const all = Config.all({
  host: text("HOST"),
  port: number("PORT"),
  healthPort: parseWith("HEALTH_PORT", healthPortFrom).pipe(Config.option),
  connections: number("CONNECTIONS"),
  connectionsPerAddress: number("CONNECTIONS_PER_ADDRESS"),
  corsOrigins: parseWith("CORS_ORIGINS", originsFrom).pipe(Config.withDefault(new Set<string>())),
  requestsPerKey: number("REQUESTS_PER_KEY"),
  listenerLimits: Config.all({
    all: number("LISTENERS"),
    workspace: number("LISTENERS_PER_WORKSPACE"),
    key: number("LISTENERS_PER_KEY")
  }),
  dataDirectory: text("DATA_DIR").pipe(Config.map((path) => resolve(path))),
  cacheDirectory: text("CACHE_DIR", cacheFolder()).pipe(Config.map((path) => resolve(path))),
  locate: databaseLocation,
  migrates: flag("MIGRATE"),
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
  roles: parseWith("ROLES", rolesFrom).pipe(Config.withDefault(new Set(Role.literals))),
  transcribers: parseWith("TRANSCRIBER", transcribersFrom).pipe(
    Config.withDefault<TranscriberNames>(["auto"])
  ),
  summarizer: Config.Literals(summarizerNames, "VERBATIM_SUMMARIZER").pipe(
    Config.withDefault("auto")
  ),
  openai: openaiConfiguration,
  metrics: metricsConfiguration,
  isConsoleOn: flag("CONSOLE"),
  isGuideOn: flag("GUIDE"),
  isMcpOn: flag("MCP"),
  maxFileMegabytes: number("MAX_FILE_MB"),
  transcribeConcurrency: number("TRANSCRIBE_CONCURRENCY", availableParallelism()),
  pieces: Config.all({
    atOnce: number("PIECES_AT_ONCE", availableParallelism()),
    areReused: flag("REUSE_PIECES")
  }),
  originConcurrency: number("ORIGIN_CONCURRENCY"),
  allowedNetworks: parseWith("ALLOW_NETWORKS", networksFrom).pipe(
    Config.withDefault<Networks.Networks>([])
  ),
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

/** The configuration of a process. `settings/Variables.ts` describes each setting. */
export interface Configuration extends Config.Success<typeof all> {}

/** The configuration of a process whose store is persistent. */
export interface StoredConfiguration extends Configuration {
  readonly database: StoredLocation
}

/** Reads and validates all variables. */
export const configuration: Config.Config<Configuration> = all

/**
 * Returns the directory that a URL such as `file:media`, `file:/srv/media` or `file:///srv/media`
 * names.
 */
const mediaPath = (url: string): string =>
  resolve(url.slice("file:".length).replace(/^\/\/(?=\/)/, ""))
