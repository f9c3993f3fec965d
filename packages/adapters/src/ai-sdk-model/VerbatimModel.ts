/**
 * A server of Verbatim as a transcription model of the AI SDK: a call is a job, which is created,
 * awaited and read. Whoever stops waiting removes the job.
 */
import type {
  TranscriptionModelV4,
  TranscriptionModelV4CallOptions,
  TranscriptionModelV4Result
} from "@ai-sdk/provider"
import { makeCallError } from "./CallError.ts"
import { parametersOf, type VerbatimOptions } from "./Parameters.ts"
import { connect, type ServerAnswer, type ServerOptions, wait } from "./Requests.ts"
import { formOf } from "./Upload.ts"
import { isJob, isList, type JobView, type ListView, resultOf } from "./Views.ts"

/** A server, and what its jobs are asked for unless a call says otherwise. */
export interface VerbatimModelOptions extends ServerOptions, VerbatimOptions {
  /** A name for logs. */
  readonly modelId?: string
  /** The longest pause between two looks at a job. */
  readonly pollMillisMax?: number
}

type Call = Omit<TranscriptionModelV4CallOptions, "audio" | "mediaType">

/** A look costs the server little; the pauses grow with the age of the job. */
const pollMillisMin = 100
const pollMillisMax = 2_000
const pollGrowth = 1.3

/** A removal does not hold up anybody, but it does not hang for ever either. */
const removalMillisMax = 60_000

const isTranscribed = ({ transcription_status: status }: JobView): boolean =>
  status === "COMPLETED" || status === "TRANSCRIBED"

/** Refusals of an address; the SDK then fetches the file itself. */
const urlRefusals: ReadonlySet<unknown> = new Set([400, 413, 415])

/** Waits for something that goes on, until somebody stops waiting. */
const unless = <A>(signal: AbortSignal | undefined, going: Promise<A>): Promise<A> =>
  signal === undefined
    ? going
    : new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason)
        if (signal.aborted) stop()
        signal.addEventListener("abort", stop, { once: true })
        going.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
      })

/** The model. */
export const verbatimModel = (options: VerbatimModelOptions): TranscriptionModelV4 => {
  const { apiKey, baseUrl, fetch, headers: ownHeaders, ...rest } = options
  const { modelId = "verbatim", pollMillisMax: pauseMax = pollMillisMax, ...parameters } = rest
  const ask = connect({
    apiKey,
    baseUrl,
    ...(fetch !== undefined && { fetch }),
    ...(ownHeaders !== undefined && { headers: ownHeaders })
  })

  const jobIn = ({ json, text }: ServerAnswer): JobView => {
    if (isJob(json)) return json
    throw makeCallError("The answer is not from Verbatim", { url: baseUrl, responseBody: text })
  }
  const listIn = ({ json, text }: ServerAnswer): ListView => {
    if (isList(json)) return json
    throw makeCallError("The answer is no transcript", { url: baseUrl, responseBody: text })
  }
  const remove = (id: string) =>
    ask({
      method: "DELETE",
      path: `/v1/transcriptions/${encodeURIComponent(id)}`,
      signal: AbortSignal.timeout(removalMillisMax)
    })

  /** Creates the job. When nobody waits any more it is removed, also if it is there only then. */
  const create = async (body: FormData | URLSearchParams, { abortSignal, headers }: Call) => {
    const creating = ask({
      method: "POST",
      path: "/v1/transcribe",
      body,
      headers: {
        ...headers,
        // A repeat whose first answer was lost finds the same job.
        "idempotency-key": crypto.randomUUID()
      }
    }).then(jobIn)
    try {
      return await unless(abortSignal, creating)
    } catch (error) {
      creating.then(({ id }) => remove(id)).catch(() => undefined)
      throw error
    }
  }

  const awaited = async (id: string, { abortSignal, headers }: Call) => {
    const path = `/v1/status/${encodeURIComponent(id)}`
    const read = (suffix: string) =>
      ask({ method: "GET", path: `${path}${suffix}`, headers, signal: abortSignal })
    // It ends: a job that can do nothing more has failed after a day.
    for (let pause = pollMillisMin; ; pause = Math.min(pause * pollGrowth, pauseMax)) {
      const answer = await read("")
      const job = jobIn(answer)
      if (job.transcription_status === "FAILED") {
        throw makeCallError(job.error ?? "The transcription failed", {
          url: baseUrl,
          responseBody: answer.text
        })
      }
      if (isTranscribed(job)) {
        const [words, plain] = await Promise.all([read("/word_json"), read("/plain_json")])
        return { job, words: listIn(words), plain: listIn(plain), headers: answer.headers }
      }
      await wait(Math.min(pause, pauseMax), abortSignal)
    }
  }

  const transcribe = async (
    call: Call,
    bodyOf: (fields: Readonly<Record<string, string>>) => FormData | URLSearchParams
  ): Promise<TranscriptionModelV4Result> => {
    call.abortSignal?.throwIfAborted()
    const timestamp = new Date()
    const { fields, warnings } = parametersOf({ ...parameters, ...call.providerOptions?.verbatim })
    const { id } = await create(bodyOf(fields), call)
    try {
      const { headers, ...finished } = await awaited(id, call)
      return resultOf(finished, { warnings, timestamp, modelId, headers })
    } catch (error) {
      if (call.abortSignal?.aborted === true) await remove(id).catch(() => undefined)
      throw error
    }
  }

  return {
    specificationVersion: "v4",
    provider: "verbatim.transcription",
    modelId,
    doGenerate: ({ audio, mediaType, ...call }) =>
      transcribe(call, (fields) => formOf(fields, { audio, mediaType })),
    doGenerateFromUrl: ({ audio, ...call }) =>
      transcribe(call, (fields) => new URLSearchParams({ ...fields, url: audio.href })).catch(
        (error: unknown) => {
          const status = error instanceof Error && "statusCode" in error ? error.statusCode : 0
          if (urlRefusals.has(status)) return undefined
          throw error
        }
      )
  }
}
