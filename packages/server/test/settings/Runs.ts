/**
 * The servers of the test of settings: one where all is unusual, one where as much as possible is
 * not set, and those for settings that cannot live with others. Each is started when it is needed.
 */
import { mkdirSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import type { Name } from "#src/settings/Variables"
import { ServerProcess, type Settings } from "../ServerProcess.ts"
import { evidence } from "./Evidence.ts"
import type { Neighbours } from "./Neighbours.ts"

/** The values in the rows of variables. */
export const valueOf = (name: Name): string => evidence[name].value ?? ""

const valuesOf = (...names: ReadonlyArray<Name>): Settings =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)]))

const unusual = ({ buckets, models, port, postgres, templates }: Neighbours): Settings => ({
  ...valuesOf("HOST", "CONNECTIONS", "CONNECTIONS_PER_ADDRESS", "REQUESTS_PER_KEY"),
  ...valuesOf("CONSOLE", "CORS_ORIGINS", "LISTENERS_PER_KEY"),
  ...valuesOf("ORIGIN_CONCURRENCY", "MEDIA_URL", "S3_REGION", "KEEP_MEDIA", "TRANSCRIBER"),
  ...valuesOf("OPENAI_API_KEY", "OPENAI_TRANSCRIPTION_MODEL", "OPENAI_DIALECT"),
  ...valuesOf("OPENAI_UPLOAD_MB", "OPENAI_SUMMARY_MODEL", "OPENAI_SUMMARY_PART_KB"),
  ...valuesOf("OPENAI_SUMMARY_API_KEY", "MAX_FILE_MB", "ALLOW_NETWORKS", "WEBHOOK_SECRET"),
  ...valuesOf("BOOTSTRAP_MANAGEMENT_KEY", "BOOTSTRAP_INFERENCE_KEY", "BOOTSTRAP_MINUTES"),
  ...valuesOf("BOOTSTRAP_OPERATOR_KEY", "METRICS", "METRICS_TOKEN", "LOG_FORMAT", "LOG_LEVEL"),
  PORT: port,
  TRANSCRIBE_CONCURRENCY: `${availableParallelism() + 1}`,
  DATABASE_URL: postgres.url,
  S3_ENDPOINT: buckets.unusual.origin,
  S3_ACCESS_KEY_ID: buckets.unusual.owner.accessKeyId,
  S3_SECRET_ACCESS_KEY: buckets.unusual.owner.secretAccessKey,
  OPENAI_BASE_URL: models.hearing.url,
  OPENAI_SUMMARY_BASE_URL: models.writing.url,
  TEMPLATES: templates
})

/** What is not usual here cannot be otherwise: nothing on the internet is asked. */
const usual = ({ buckets, models }: Neighbours): Settings => ({
  ...valuesOf("TRANSCRIBER", "SUMMARIZER", "ALLOW_NETWORKS"),
  MEDIA_URL: "s3://verbatim-usual",
  S3_ENDPOINT: buckets.usual.origin,
  OPENAI_BASE_URL: models.usual.url
})

const local = ({ folder }: Neighbours): Settings => ({
  ...valuesOf("KEEP_FAILED_MEDIA", "LISTENERS_PER_WORKSPACE"),
  ...valuesOf("RETENTION_MEDIA_DAYS", "RETENTION_TRANSCRIPT_DAYS", "RETENTION_JOB_DAYS"),
  MODELS: join(folder, "models"),
  ALLOW_NETWORKS: ""
})

const fetching = ({ folder, source }: Neighbours): Settings => ({
  ...valuesOf("MODEL", "ALLOW_NETWORKS"),
  CACHE_DIR: join(folder, "cache"),
  MODEL_SOURCE: source.origin,
  MEDIA_URL: `file:${join(folder, "elsewhere")}`,
  DATABASE_URL: `sqlite:${join(folder, "elsewhere.db")}`
})

const keyless = (): Settings => ({ ...valuesOf("TRANSCRIBER"), DATA_DIR: "" })

const answering = ({ postgres }: Neighbours): Settings => ({
  ...valuesOf("ROLES", "LISTENERS", "DATABASE_CONNECTIONS", "DATABASE_STATEMENT_SECONDS"),
  DATABASE_URL: postgres.url
})

const apart = ({ folder, postgres }: Neighbours): Settings => ({
  ...valuesOf("DATABASE_SCHEMA"),
  DATABASE_URL: postgres.url,
  MEDIA_URL: `file:${join(folder, "apart")}`
})

const working = ({ healthPort }: Neighbours): Settings => ({
  ROLES: "worker",
  HEALTH_PORT: healthPort
})

const patient = ({ silences }: Neighbours): Settings => ({ DATABASE_URL: silences.patient.url })

const hasty = ({ silences }: Neighbours): Settings => ({
  DATABASE_URL: silences.hasty.url,
  ...valuesOf("DATABASE_CONNECT_SECONDS")
})

const runs = {
  unusual,
  usual,
  local,
  fetching,
  keyless,
  answering,
  apart,
  working,
  patient,
  hasty
} as const

/** The name of a server, by its settings. */
export type RunName = keyof typeof runs

/** Its settings, without `VERBATIM_` in their names. */
export const settingsOf = (name: RunName, neighbours: Neighbours): Settings =>
  runs[name](neighbours)

/** The same as variables. Where Amazon's tools find an account. */
export const environmentOf = (name: RunName, neighbours: Neighbours): Settings => {
  const { accessKeyId, secretAccessKey } = neighbours.buckets.usual.owner
  const settings = Object.entries(settingsOf(name, neighbours))
  return {
    ...Object.fromEntries(settings.map(([variable, value]) => [`VERBATIM_${variable}`, value])),
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey
  }
}

/** The folder of a server, for its data where no other place is named. */
export const folderOf = (name: RunName, { folder }: Neighbours): string => join(folder, name)

/** Starts a server in its folder. */
export const startRun = (name: RunName, neighbours: Neighbours): Promise<ServerProcess> => {
  const folder = folderOf(name, neighbours)
  mkdirSync(folder, { recursive: true })
  return ServerProcess.start(folder, environmentOf(name, neighbours), folder)
}
