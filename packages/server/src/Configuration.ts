/**
 * What an operator sets by environment variables, with every default and every limit. An empty
 * variable is the same as none.
 */
import { availableParallelism } from "node:os"
import { join, resolve } from "node:path"
import { cacheFolder } from "@verbatim/adapters/engines"
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
import { Config, Duration, type Option, Redacted, Result, Schema } from "effect"
import { originsFrom } from "./CorsOrigins.ts"
import { type DatabaseLocation, databaseLocation } from "./DatabaseLocation.ts"
import {
  isTranscribers,
  type SummarizerName,
  summarizerNames,
  type TranscriberNames,
  toTranscribers
} from "./EngineNames.ts"
import { type LogConfiguration, logConfiguration } from "./Logging.ts"
import { type Bucket, bucketAccess, bucketOf, isBucketUrl } from "./Media.ts"
import { type MetricsConfiguration, metricsConfiguration } from "./Metrics.ts"
import { type OpenAiConfiguration, openaiConfiguration } from "./OpenAiConfiguration.ts"
import { flag, number, numberOrNull, secretOf, text, textOf } from "./settings/Setting.ts"
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
