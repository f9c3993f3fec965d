/**
 * What an operator sets by environment variables, with every default and every limit. An empty
 * variable is the same as none.
 */
import { availableParallelism, homedir } from "node:os"
import { join, resolve } from "node:path"
import { Catalogue, ModelSource } from "@verbatim/adapters/whisper"
import type { Retention } from "@verbatim/core/job"
import * as Networks from "@verbatim/core/outbound"
import { LaneMax } from "@verbatim/core/worker"
import {
  acceptableToken,
  isAcceptableToken,
  type SecretText,
  secretMax,
  secretsFrom
} from "@verbatim/core/workspace"
import { Config, Duration, type Option, Redacted, Result, Schema } from "effect"
import { type DatabaseLocation, databaseLocation } from "./DatabaseLocation.ts"
import {
  isTranscribers,
  type SummarizerName,
  summarizerNames,
  type TranscriberNames,
  toTranscribers,
  transcriberNames
} from "./EngineNames.ts"
import { type LogConfiguration, logConfiguration } from "./Logging.ts"
import { type Bucket, bucketAccess, bucketOf, isBucketUrl } from "./Media.ts"
import { type OpenAiConfiguration, openaiConfiguration } from "./OpenAiConfiguration.ts"
import { number, text, textOf, whole } from "./Setting.ts"
import {
  type TelemetryConfiguration,
  telemetryConfiguration
} from "./telemetry/TelemetryConfiguration.ts"

/** What a process does: answer requests, do the work, or both. */
const Role = Schema.Literals(["http", "worker"])
type Role = typeof Role.Type

/** The configuration of one process. */
export interface Configuration {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Open at the same time, from everywhere and from one address. */
  readonly connections: number
  readonly connectionsPerAddress: number
  /** Under way at the same time. */
  readonly requestsPerKey: number
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
  readonly fileMegabytesMax: number
  readonly transcribeConcurrency: number
  /** Downloads from one origin, or webhooks to one, at the same time. */
  readonly originConcurrency: number
  /** Private networks that outbound requests may reach. */
  readonly allowNetworks: Networks.Networks
  readonly mediaRetention: Retention
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

/** The file system's own cache folder of the user, where re-creatable things go. */
const userCacheDirectory = (): string => {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (process.platform === "win32" && LOCALAPPDATA) return LOCALAPPDATA
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches")
  return XDG_CACHE_HOME || join(homedir(), ".cache")
}

const isRoles = (roles: string): boolean => splitRoles(roles).every(Schema.is(Role))

const splitRoles = (roles: string): ReadonlyArray<string> => roles.split(",").map((r) => r.trim())

const toRoles = (roles: string): ReadonlySet<Role> =>
  new Set(splitRoles(roles).filter(Schema.is(Role)))

const roles = textOf("ROLES", { expected: "http, worker, or http,worker", is: isRoles }).pipe(
  Config.withDefault("http,worker"),
  Config.map(toRoles)
)

const allowNetworks = textOf("ALLOW_NETWORKS", {
  expected: "networks like 10.0.0.0/8 or fd00::/8, separated by commas",
  is: (list) => Result.isSuccess(Networks.fromText(list))
}).pipe(
  Config.withDefault(""),
  Config.map((list) => Result.getOrElse(Networks.fromText(list), (): Networks.Networks => []))
)

/** A key that the operator supplies; its value appears in no message. */
const bootstrapKey = (name: string): Config.Config<Option.Option<Redacted.Redacted>> =>
  Config.schema(
    Schema.Redacted(
      Schema.String.check(Schema.makeFilter(isAcceptableToken, { expected: acceptableToken }))
    ),
    `VERBATIM_BOOTSTRAP_${name}`
  ).pipe(Config.option)

const secretsIn = (text: string): ReadonlyArray<SecretText> => secretsFrom(text) ?? []

const webhookSecrets: Config.Config<ReadonlyArray<SecretText>> = Config.schema(
  Schema.Redacted(
    Schema.String.check(
      Schema.makeFilter((text) => secretsFrom(text) !== undefined, {
        expected: `whsec_ and base64 of 24 to 64 bytes, or ${secretMax} such at most, with spaces`
      })
    )
  ),
  "VERBATIM_WEBHOOK_SECRET"
).pipe(
  Config.map((text) => secretsIn(Redacted.value(text))),
  Config.withDefault([])
)

/** Every variable, read and checked. `VERBATIM_` is left out of the names here. */
export const configuration: Config.Config<Configuration> = Config.all({
  host: text("HOST", "127.0.0.1"),
  port: whole("PORT", { minimum: 0, maximum: 65_535, fallback: 8787 }),
  // Each costs a descriptor and some kilobytes.
  connections: whole("CONNECTIONS", { minimum: 1, maximum: 1_000_000, fallback: 8_192 }),
  // Behind a proxy all connections come from one address.
  connectionsPerAddress: whole("CONNECTIONS_PER_ADDRESS", {
    minimum: 1,
    maximum: 1_000_000,
    fallback: 4_096
  }),
  requestsPerKey: whole("REQUESTS_PER_KEY", { minimum: 1, maximum: 100_000, fallback: 1_024 }),
  dataDirectory: text("DATA_DIR", ".verbatim").pipe(Config.map((path) => resolve(path))),
  cacheDirectory: text("CACHE_DIR", join(userCacheDirectory(), "verbatim")).pipe(
    Config.map((path) => resolve(path))
  ),
  locate: databaseLocation,
  models: text("MODELS", ""),
  modelSource: textOf("MODEL_SOURCE", {
    expected: ModelSource.expected,
    is: ModelSource.isText
  }).pipe(Config.withDefault(ModelSource.defaultText), Config.map(ModelSource.fromText)),
  model: text("MODEL", Catalogue.defaultName),
  mediaUrl: textOf("MEDIA_URL", {
    expected: "file:<directory>, s3://<bucket> or s3://<bucket>/<folder>",
    is: (url) => /^file:.+$/.test(url) || isBucketUrl(url)
  }).pipe(Config.withDefault("")),
  bucketAccess,
  roles,
  transcribers: textOf("TRANSCRIBER", {
    expected: `one or more of ${transcriberNames.join(", ")}, in order, separated by commas`,
    is: isTranscribers
  }).pipe(Config.withDefault("auto"), Config.map(toTranscribers)),
  summarizer: Config.Literals(summarizerNames, "VERBATIM_SUMMARIZER").pipe(
    Config.withDefault("auto")
  ),
  openai: openaiConfiguration,
  // 100 GB is a year of speech; more is a typo.
  fileMegabytesMax: whole("MAX_FILE_MB", { minimum: 1, maximum: 100_000, fallback: 200 }),
  transcribeConcurrency: whole("TRANSCRIBE_CONCURRENCY", {
    minimum: 1,
    maximum: 1_024,
    fallback: availableParallelism()
  }),
  // A process sends no more webhooks at a time, whoever they are for.
  originConcurrency: whole("ORIGIN_CONCURRENCY", {
    minimum: 1,
    maximum: 64,
    fallback: LaneMax.defaultValue()
  }),
  allowNetworks,
  mediaRetention: Config.all({
    isKept: Config.Boolean("VERBATIM_KEEP_MEDIA").pipe(Config.withDefault(false)),
    failedFor: Config.Duration("VERBATIM_KEEP_FAILED_MEDIA").pipe(
      Config.withDefault(Duration.days(7))
    )
  }),
  webhookSecrets,
  templatesFile: Config.String("VERBATIM_TEMPLATES").pipe(
    Config.map((path) => resolve(path)),
    Config.option
  ),
  bootstrapManagementKey: bootstrapKey("MANAGEMENT_KEY"),
  bootstrapInferenceKey: bootstrapKey("INFERENCE_KEY"),
  bootstrapOperatorKey: bootstrapKey("OPERATOR_KEY"),
  // Ten million minutes are nineteen years, and still exact in milliseconds.
  bootstrapMinutes: number("BOOTSTRAP_MINUTES", { minimum: 0, maximum: 1e7, fallback: 600 }),
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
