/**
 * Details of a job beyond its status: its time of acceptance, its parameters and its result.
 * Webhooks do not contain these details, because the specification defines webhook bodies.
 */
import { DateTime, Option, Result, Schema } from "effect"
import { causeOf } from "../attempt/Failure.ts"
import { Output } from "../rendering/Rendering.ts"
import { Match } from "../rendering/SearchText.ts"
import { seconds } from "../rendering/Timecode.ts"
import { optional } from "../schema/ObjectSchemas.ts"
import { SummaryType } from "../summary/SummaryType.ts"
import { lastPart, pathOf } from "../transcription/MediaType.ts"
import { type PieceProgress, recognisedCount } from "../transcription/Piece.ts"
import type { TranscriptionRequest } from "../transcription/TranscriptionRequest.ts"
import { toWarningView, WarningView } from "../transcription/Warning.ts"
import type { KeyKind } from "../workspace/ApiKey.ts"
import type { BalanceMillis } from "../workspace/Usage.ts"
import { type Workspace, WorkspaceId } from "../workspace/Workspace.ts"
import type { Job } from "./Job.ts"
import { JobView, type ShownWithJob, toView } from "./JobView.ts"

// Some fields are hidden from some keys. Management and operator keys see the cause of a failure in
// the words of the engine or the receiver. Only management keys see the URLs of the recording and
// the webhook.

const forManagers = "Only for management keys."

const cause = (whose: string) =>
  optional(
    Schema.String,
    `The cause of the failure, as reported by ${whose}, without secrets. Only for management ` +
      "and operator keys."
  )

const link = (what: string) =>
  optional(Schema.String, `${what}, without user, password and query. ${forManagers}`)

/** The response fields with the URLs of the recording and the webhook. */
export const linkFields = {
  media_url: link("The URL of the recording"),
  receiver: link("The URL of the webhook")
}

/** The response fields with the causes of a job's failures. */
const causeFields = {
  cause: cause("the engine or the server of the recording"),
  summary_cause: cause("the summary model"),
  webhook_cause: cause("the receiver of the webhook or the connection to it")
}

type Links = { readonly [name in keyof typeof linkFields]?: string }
type Causes = { readonly [name in keyof typeof causeFields]?: string }

/** Returns a URL without its user, password and query; undefined if the text is not a URL. */
const withoutSecretParts = (address: string): string | undefined => {
  const url = URL.parse(address)
  return url === null ? undefined : `${url.origin}${url.pathname}`
}

const present = <A extends Readonly<Record<string, string | undefined>>>(fields: A) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Returns the URLs of a job's recording and webhook. */
export const linksOf = ({ request }: Job, audience: KeyKind): Links =>
  audience === "management"
    ? present({
        media_url:
          request.source._tag === "Upload" ? undefined : withoutSecretParts(request.source.url),
        receiver: request.callback === null ? undefined : withoutSecretParts(request.callback.url)
      })
    : {}

const failedCause = (state: Job["transcription"] | Job["summary"] | Job["delivery"]) =>
  state?._tag === "Failed" ? causeOf(state.failure) : undefined

/** Returns the failure causes that the reader may see. */
const causesOf = (job: Job, audience: KeyKind): Causes =>
  audience === "management"
    ? present({
        cause: failedCause(job.transcription),
        summary_cause: failedCause(job.summary),
        webhook_cause: failedCause(job.delivery)
      })
    : {}

const { output, ...statusFields } = JobView.fields

const detailFields = {
  created_at: Schema.String.annotate({
    format: "date-time",
    description: "The time of acceptance, in ISO 8601 UTC with milliseconds."
  }),
  filename: optional(
    Schema.String,
    "The name of the file, or the decoded last part of its URL's path, if it has one."
  ),
  pieces: optional(
    Schema.Struct({ done: Schema.Int, total: Schema.Int }),
    "Number of recognised pieces of the recording. Present once the first piece is recognised."
  ),
  duration: optional(
    Schema.String,
    "The length of the audio in seconds, once the recording is transcribed."
  ),
  language: optional(
    Schema.String,
    "ISO 639 code, once the recording is transcribed; `und` if unknown."
  ),
  engine: optional(Schema.String, "The engine that transcribed the recording."),
  speaker_count: optional(Schema.Int, "Number of voices in the transcript."),
  warnings: optional(
    Schema.Array(WarningView),
    "Parts of the recording that were not transcribed, and why. Present with the transcript; " +
      "empty if there is nothing to report."
  ),
  summary_requested: optional(SummaryType, "The requested type of summary."),
  summary_type: optional(
    SummaryType,
    "The type of summary that was made; shorter than requested if the audio is short."
  )
}

/** An entry in a list of jobs, without the transcript. */
export const ListedJob = Schema.Struct({
  ...statusFields,
  ...detailFields,
  ...causeFields,
  matches: optional(
    Schema.Array(Match),
    "Present with `q`: up to three passages of the transcript that have the most of its words."
  )
})
export type ListedJob = typeof ListedJob.Type

const { matches: _matches, summary: _summary, ...operatorFields } = ListedJob.fields

/**
 * An entry in an operator's list of jobs, with the workspace and without any text from the
 * recording.
 */
export const WorkspaceJob = Schema.Struct({
  workspace_id: WorkspaceId,
  workspace_name: Schema.String,
  ...operatorFields
})
export type WorkspaceJob = typeof WorkspaceJob.Type

/** A job with all its details, ending with the transcript. */
export const JobDetails = Schema.Struct({
  ...statusFields,
  ...detailFields,
  ...causeFields,
  ...linkFields,
  partial_output: optional(
    Output,
    "Present with `partial=true` while there is no transcript: the text recognised so far, with " +
      "`speaker_0` as the only speaker. The transcript can differ."
  ),
  output
})
export type JobDetails = typeof JobDetails.Type

type Details = Pick<ListedJob, keyof typeof detailFields>

/** Returns the file name, if the request has one. */
export const filenameOf = (source: TranscriptionRequest["source"]): string => {
  if (source._tag === "Upload") return source.filename
  const path = pathOf(source.url)
  const decoded = Result.try(() => decodeURIComponent(path))
  return lastPart(Result.getOrElse(decoded, () => path).replace(/\p{Cc}/gu, ""))
}

const madeOf = ({ transcription }: Job): Partial<Details> => {
  if (transcription._tag !== "Transcribed") return {}
  const { durationMillis, engine, language, speakerCount, warnings = [] } = transcription
  return {
    duration: seconds(durationMillis),
    language,
    engine,
    ...(speakerCount === undefined ? {} : { speaker_count: speakerCount }),
    warnings: warnings.map(toWarningView)
  }
}

/** Returns which pieces of a job are recognised; undefined before the first piece. */
export const piecesOf = ({ transcription }: Job): PieceProgress | undefined =>
  "pieces" in transcription ? transcription.pieces : undefined

const toDetails = (job: Job): Details => {
  const filename = filenameOf(job.request.source)
  const { summary } = job.request
  const pieces = piecesOf(job)
  return {
    created_at: DateTime.formatIso(job.acceptedAt),
    ...(filename === "" ? {} : { filename }),
    ...(pieces === undefined
      ? {}
      : { pieces: { done: recognisedCount(pieces), total: pieces.count } }),
    ...madeOf(job),
    ...(summary === null ? {} : { summary_requested: summary }),
    ...(job.summary?._tag === "Completed" ? { summary_type: job.summary.type } : {})
  }
}

interface Reader {
  /** The kind of key that the reader uses. */
  readonly audience: KeyKind
}

/** Converts a job to its response form, with all details. */
export const toDetailedView = (job: Job, shown: ShownWithJob & Reader): JobDetails => {
  const { output, ...view } = toView(job, shown)
  const { audience } = shown
  const more = { ...toDetails(job), ...causesOf(job, audience), ...linksOf(job, audience) }
  return { ...view, ...more, ...(output === undefined ? {} : { output }) }
}

/** Converts a job to its entry in a list. */
export const toListed = (
  job: Job,
  { audience, balanceMillis }: Pick<ShownWithJob, "balanceMillis"> & Reader
): ListedJob => {
  const { output: _, ...view } = toView(job, { balanceMillis, transcript: Option.none() })
  return { ...view, ...toDetails(job), ...causesOf(job, audience) }
}

/** A job with its workspace and the workspace's balance. */
export interface OwnedJob {
  readonly job: Job
  readonly workspace: Workspace
  readonly balanceMillis: BalanceMillis
}

/** Converts a job to its entry in an operator's list. */
export const toWorkspaceJob = ({ balanceMillis, job, workspace }: OwnedJob): WorkspaceJob => {
  const { summary: _, ...listed } = toListed(job, { audience: "management", balanceMillis })
  return { workspace_id: workspace.id, workspace_name: workspace.name, ...listed }
}
