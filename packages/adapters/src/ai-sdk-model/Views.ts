/** The answers of Verbatim as a result of the AI SDK. Pure. */
import type { JSONObject, SharedV4Warning, TranscriptionModelV4Result } from "@ai-sdk/provider"

/** The status of a job, as far as it is read. */
export interface JobView {
  readonly id: string
  readonly transcription_status: string
  readonly error?: string
  readonly output?: ListView
}

/** A transcript in one of the forms that are lists; times are texts of seconds. */
export interface ListView {
  readonly duration: string
  readonly language: string
  readonly list: ReadonlyArray<{
    readonly text: string
    readonly start?: string
    readonly end?: string
    readonly speaker?: string
    readonly estimated?: true
  }>
}

const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null

/** Whether an answer is the status of a job. */
export const isJob = (json: unknown): json is JobView =>
  isObject(json) && typeof json.id === "string" && typeof json.transcription_status === "string"

/** Whether an answer is a transcript as a list. */
export const isList = (json: unknown): json is ListView =>
  isObject(json) &&
  typeof json.duration === "string" &&
  typeof json.language === "string" &&
  Array.isArray(json.list) &&
  json.list.every((entry) => isObject(entry) && typeof entry.text === "string")

/** What has been read of a finished job. */
export interface Finished {
  readonly job: JobView
  readonly words: ListView
  readonly plain: ListView
}

const timed = ({ list }: ListView) =>
  list.map(({ end, start, text }) => ({
    text,
    startSecond: Number(start ?? 0),
    endSecond: Number(end ?? 0)
  }))

const estimatedWarning: SharedV4Warning = {
  type: "other",
  message: "The engine times no words: their times are shares of the segment's."
}

/** What the SDK's interface has no place for. */
const metadataOf = ({ job }: Finished): JSONObject => ({
  jobId: job.id,
  segments: (job.output?.list ?? []).map(({ end, speaker, start, text }) => ({
    text,
    startSecond: Number(start ?? 0),
    endSecond: Number(end ?? 0),
    speaker: speaker ?? null
  }))
})

/** The result of a call. */
export const resultOf = (
  finished: Finished,
  call: {
    readonly warnings: ReadonlyArray<SharedV4Warning>
    readonly timestamp: Date
    readonly modelId: string
    readonly headers: Record<string, string>
  }
): TranscriptionModelV4Result => {
  const { job, plain, words } = finished
  const isEstimated = words.list.some(({ estimated }) => estimated === true)
  return {
    text: plain.list.map(({ text }) => text).join(" "),
    segments: timed(job.output ?? words),
    words: timed(words),
    language: words.language === "und" ? undefined : words.language,
    durationInSeconds: Number(words.duration),
    warnings: [...call.warnings, ...(isEstimated ? [estimatedWarning] : [])],
    response: {
      timestamp: call.timestamp,
      modelId: call.modelId,
      headers: call.headers,
      body: job
    },
    providerMetadata: { verbatim: metadataOf(finished) }
  }
}
