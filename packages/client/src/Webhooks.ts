/**
 * Verifies the webhooks that a receiver gets (Standard Webhooks 1.0), with the platform's Web
 * Crypto: in Node, Bun, Deno, workers and at the edge.
 */
import type { components, operations } from "./generated/Description.ts"

/** The headers of a request, as `fetch`, `node:http` or Express provide them. */
export type WebhookHeaders =
  | Pick<Headers, "get">
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

type Job = components["schemas"]["Job"]

type JsonBody = operations["transcription.ended"]["requestBody"]["content"]["application/json"]

/** A transcript in the rendering that the request's `modifier` names. */
export type WebhookTranscript = Exclude<JsonBody, Job> | string

/** A verified webhook. */
export type WebhookEvent = {
  /**
   * The webhook's id, which is the same for all attempts of a delivery, so receivers can ignore
   * duplicates.
   */
  readonly id: string
  /** The time at which this attempt was sent. */
  readonly sentAt: Date
} & (
  | {
      /** The job's status, with its results or its error. */
      readonly job: Job
      readonly transcript?: never
    }
  | { readonly job?: never; readonly transcript: WebhookTranscript }
)

/** Options of `verify`. */
export interface VerifyOptions {
  /**
   * The most that the request's timestamp may differ from this machine's clock, in seconds.
   * Default: 300.
   */
  readonly tolerance?: number
}

/**
 * The reason why a request is not an authentic, recent webhook. `unsigned`: a header is missing or
 * malformed. `expired`: the timestamp differs too much from this machine's clock. `forged`: no
 * signature matches a secret.
 */
export type WebhookProblem = "expired" | "forged" | "unsigned"

const sentences: Readonly<Record<WebhookProblem, string>> = {
  unsigned: "The request has no valid webhook-id, webhook-timestamp and webhook-signature",
  expired: "The time of the webhook differs too much from this machine's clock",
  forged: "No signature of the webhook matches a secret"
}

/**
 * The error for a request that is not an authentic, recent webhook. Respond with status 400 or 401.
 */
export class InvalidWebhook extends Error {
  readonly reason: WebhookProblem

  constructor(reason: WebhookProblem) {
    super(sentences[reason])
    this.name = "InvalidWebhook"
    this.reason = reason
  }
}

/** Default of `tolerance` in seconds: five minutes, as Standard Webhooks recommends. */
const defaultTolerance = 300

const readHeader = (headers: WebhookHeaders, name: string): string => {
  if (typeof headers.get === "function") return headers.get(name) ?? ""
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  return [entry?.[1] ?? []].flat().join(" ")
}

const bytesFrom = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const secretPattern = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/

/** Decodes a secret. Error messages never contain the secret. */
const keyFrom = (secret: string): Uint8Array<ArrayBuffer> => {
  const text = secretPattern.test(secret) ? secret.slice("whsec_".length) : ""
  if (text === "" || text.length % 4 !== 0) {
    throw new TypeError("A webhook secret must be whsec_ and base64 of 24 to 64 bytes")
  }
  return bytesFrom(text)
}

/**
 * Splits a list of secrets. Throws if a secret is not a string, because an unset environment
 * variable would otherwise make every webhook look forged.
 */
const listSecrets = (given: ReadonlyArray<unknown> | string): ReadonlyArray<string> =>
  [given].flat().flatMap((each) => {
    if (typeof each !== "string")
      throw new TypeError(`A webhook secret must be text, but is ${typeof each}`)
    return each.split(" ").filter((text) => text !== "")
  })

const sign = async (secret: string, content: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const { subtle } = globalThis.crypto
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await subtle.importKey("raw", keyFrom(secret), algorithm, false, ["sign"])
  return new Uint8Array(await subtle.sign("HMAC", key, content))
}

/** Compares bytes in a time that does not depend on where they differ. */
const areEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length &&
  one.reduce((difference, byte, index) => difference | (byte ^ (other[index] ?? 0)), 0) === 0

/** Matches `v1,` and 32 bytes of HMAC-SHA256 in base64. */
const tagPattern = /^v1,([A-Za-z0-9+/]{43}=)$/

/** Refuse a parsed body. The signature covers the bytes, so every webhook would look forged. */
const bytesOf = (body: unknown): Uint8Array => {
  if (typeof body === "string") return new TextEncoder().encode(body)
  if (Object(body).byteLength === undefined)
    throw new TypeError("The body of a webhook must be the text or bytes that were received")
  return new Uint8Array(body as ArrayBuffer | Uint8Array)
}

const tagsIn = (header: string): ReadonlyArray<Uint8Array> =>
  header.split(" ").flatMap((each) => {
    const tag = tagPattern.exec(each)?.[1]
    return tag === undefined ? [] : [bytesFrom(tag)]
  })

const isSigned = async (
  content: Uint8Array<ArrayBuffer>,
  secrets: ReadonlyArray<string>,
  tags: ReadonlyArray<Uint8Array>
): Promise<boolean> => {
  const expected = await Promise.all(secrets.map((secret) => sign(secret, content)))
  return expected.some((each) => tags.some((tag) => areEqual(each, tag)))
}

/** A status and a transcript in JSON are objects; anything else is a transcript in plain text. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isJob = (parsed: object): parsed is Job => "transcription_status" in parsed

const contentOf = (text: string) => {
  const parsed = parse(text)
  if (typeof parsed !== "object" || parsed === null) return { transcript: text }
  return isJob(parsed) ? { job: parsed } : { transcript: parsed as Exclude<JsonBody, Job> }
}

/**
 * Verifies a webhook and returns its content. Rejects with `InvalidWebhook` unless the request was
 * recently signed with one of the secrets. Pass the body unchanged, because the signature covers
 * its bytes. During a rotation, pass both secrets, as a list or separated by a space.
 *
 * @example
 * ```ts
 * const receive = async (request: Request) => {
 *   const { job } = await verify(await request.text(), request.headers, "whsec_…")
 *   console.log(job?.id, job?.transcription_status)
 *   return new Response()
 * }
 * ```
 */
export const verify = async (
  body: ArrayBuffer | Uint8Array | string,
  headers: WebhookHeaders,
  secrets: ReadonlyArray<string> | string,
  { tolerance = defaultTolerance }: VerifyOptions = {}
): Promise<WebhookEvent> => {
  const known = listSecrets(secrets)
  const id = readHeader(headers, "webhook-id")
  const timestamp = readHeader(headers, "webhook-timestamp")
  const tags = tagsIn(readHeader(headers, "webhook-signature"))
  if (id === "" || !/^\d{1,12}$/.test(timestamp) || tags.length === 0) {
    throw new InvalidWebhook("unsigned")
  }
  const bytes = bytesOf(body)
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + bytes.length)
  content.set(head)
  content.set(bytes, head.length)
  if (!(await isSigned(content, known, tags))) throw new InvalidWebhook("forged")
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= tolerance
  if (!isRecent) throw new InvalidWebhook("expired")
  const text = typeof body === "string" ? body : new TextDecoder().decode(bytes)
  return { id, sentAt: new Date(Number(timestamp) * 1000), ...contentOf(text) }
}
