/** The client's only error class. */

/**
 * The kind of failure. `refused`: the server responded with an error. `network`: no response
 * arrived. `unreadable`: the response does not match the API. `unfinished`: the job has no result
 * yet. `unsent`: the request could not be built, so a retry would not help.
 */
export type FailureKind = "refused" | "network" | "unreadable" | "unfinished" | "unsent"

interface Failure {
  readonly kind: FailureKind
  readonly message: string
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly body?: unknown
  readonly cause?: unknown
}

/** The error of a failed call. An aborted call rejects with the reason of its signal instead. */
export class VerbatimError extends Error {
  readonly kind: FailureKind
  /** The response's status, or 0 if no response arrived. */
  readonly status: number
  /** The id under which the request appears in the server's log. */
  readonly requestId: string | undefined
  /** The response's body, parsed if it is JSON. */
  readonly body: unknown
  /** Number of seconds to wait before a retry, if the server sent `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor({ body, cause, kind, message, requestId, retryAfter, status = 0 }: Failure) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "VerbatimError"
    this.kind = kind
    this.status = status
    this.requestId = requestId
    this.body = body
    this.retryAfter = retryAfter
  }
}

const read = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined

/** Reads the message from an error body in either format. */
const sentenceOf = (body: unknown): string | undefined =>
  [read(read(body, "error"), "message"), read(body, "detail")].find(
    (text): text is string => typeof text === "string" && text.trim() !== ""
  )

/** Reads the seconds from `Retry-After`, which contains a number or a date. */
export const retryAfterOf = (headers: Headers, nowMillis: number): number | undefined => {
  const text = headers.get("retry-after")?.trim() ?? ""
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const millis = text === "" ? Number.NaN : Date.parse(text)
  return Number.isNaN(millis) ? undefined : Math.max(0, Math.ceil((millis - nowMillis) / 1000))
}

/** The parts of a response that errors contain. */
const traitsOf = (response: Response) => ({
  status: response.status,
  requestId: response.headers.get("x-request-id") ?? undefined,
  retryAfter: retryAfterOf(response.headers, Date.now())
})

/** Creates the error for a call that the server refused. */
export const refusal = (response: Response, body: unknown): VerbatimError =>
  new VerbatimError({
    kind: "refused",
    message: sentenceOf(body) ?? `The server answered with status ${response.status}`,
    body,
    ...traitsOf(response)
  })

/** Creates the error for a job that has no result yet. */
export const unfinished = (response: Response, body: unknown): VerbatimError => {
  const status = read(body, "transcription_status")
  const message = `The job has no result yet: its status is ${status ?? "unknown"}`
  return new VerbatimError({ kind: "unfinished", message, body, ...traitsOf(response) })
}

/** Creates the error for a request that got no response. The cause is the platform's error. */
export const unreachable = (cause: unknown): VerbatimError =>
  new VerbatimError({ kind: "network", message: "The server could not be reached", cause })

/** Creates the error for a response that does not match the API, such as a proxy's error page. */
export const unreadable = (cause: unknown): VerbatimError =>
  new VerbatimError({ kind: "unreadable", message: "The answer could not be read", cause })

/**
 * Creates the error for a request that cannot be built, because the platform's own message would
 * contain the invalid value.
 */
export const unsent = (message: string, cause?: unknown): VerbatimError =>
  new VerbatimError({ kind: "unsent", message, cause })
