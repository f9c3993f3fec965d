/** Defines the options of named calls, and converts responses to values and errors. */
import { refusal, unreachable, unreadable, unsent } from "./VerbatimError.ts"

// biome-ignore lint/suspicious/noExplicitAny: only `any` requires no index signature
type Anything = any

type IsOptional<Body, Name extends keyof Body> =
  Body extends Required<Pick<Body, Name>> ? false : true

/**
 * The body of an inference request. This type accepts the provider SDKs' request types without a
 * cast, although those lack index signatures, allow null for optional fields, and contain values
 * missing from our lists. The server refuses fields that a preset does not accept.
 */
export type InferenceBody<Body> = Body extends string
  ? Body | (string & {})
  : Body extends boolean
    ? boolean
    : Body extends ReadonlyArray<infer Item>
      ? ReadonlyArray<InferenceBody<Item>>
      : Body extends object
        ? {
            [Name in keyof Body]: string extends Name
              ? Anything
              : Name extends "previous_response_id" | "prompt_cache_options"
                ? Anything
                : InferenceBody<Body[Name]> | (IsOptional<Body, Name> extends true ? null : never)
          }
        : Body

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** The request's id, which is sent as `X-Request-Id` and appears in the server's log. */
  readonly requestId?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Options of calls that create something. */
export interface CreateOptions extends CallOptions {
  /**
   * Sent as `Idempotency-Key`: the same request with the same key runs only once within 24 hours.
   * If you give no key, the client generates one, so that it can retry the call.
   */
  readonly idempotencyKey?: string | undefined
}

/** Options of conditional writes. */
export interface ConditionOptions extends CallOptions {
  /**
   * The id or version that you have read. If the current id or version differs, the write fails
   * with 409.
   */
  readonly ifMatch?: string | number | null | undefined
  /** `*` writes only if nothing exists yet; an id writes only if that id is not the current one. */
  readonly ifNoneMatch?: string | undefined
}

type Init = { headers: Record<string, string>; signal?: AbortSignal }

type Given = CreateOptions & ConditionOptions

const toTag = (id: string | number): string => (id === "*" ? id : `"${id}"`)

/** Checks that each header can be sent, and returns the headers. */
export const checkHeaders = (headers: Readonly<Record<string, string>> = {}) => {
  for (const [name, value] of Object.entries(headers)) {
    const isSendable = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t -~\x80-\xff]*$/.test(value)
    if (!isSendable) throw unsent(`The header ${JSON.stringify(name)} cannot be sent`)
  }
  return { ...headers }
}

/** Converts the options to those of `openapi-fetch`. */
export const toInit = (given: Given = {}): Init => {
  const { headers, idempotencyKey, ifMatch, ifNoneMatch, requestId, signal } = given
  return {
    headers: checkHeaders({
      ...headers,
      ...(requestId === undefined ? {} : { "x-request-id": requestId }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      ...(ifMatch === undefined || ifMatch === null ? {} : { "if-match": toTag(ifMatch) }),
      ...(ifNoneMatch === undefined ? {} : { "if-none-match": toTag(ifNoneMatch) })
    }),
    ...(signal === undefined ? {} : { signal })
  }
}

/** Generates a unique key without `crypto.randomUUID`, which pages have only over HTTPS. */
const makeIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0")
  ).join("")

/**
 * Does the same as `toInit`, but also generates an idempotency key if the client is allowed to
 * retry the call.
 */
export const toRepeatable = (given: Given, isRepeating: boolean): Init => {
  const idempotencyKey = given.idempotencyKey ?? (isRepeating ? makeIdempotencyKey() : undefined)
  return toInit({ ...given, idempotencyKey })
}

interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/**
 * Returns the data with its response, or rejects with a `VerbatimError` if the server refuses the
 * call.
 */
export const settle = async <Data>(
  calling: Promise<Answer<Data>>
): Promise<{ readonly data: Data; readonly response: Response }> => {
  const answer = await calling.catch((cause: unknown) => {
    if (cause instanceof SyntaxError) throw unreadable(cause)
    // Platforms throw this error if the connection breaks while the response is being read.
    throw cause instanceof TypeError ? unreachable(cause) : cause
  })
  const { data, error, response } = answer
  if (!response.ok) throw refusal(response, error)
  return { data: data as Data, response }
}

/** Reads a response as text, and parses it if it is JSON. */
export const readText = async (calling: Promise<Answer<unknown>>) => {
  const { data, response } = await settle(calling)
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
  try {
    return { data: isJson ? (JSON.parse(data as string) as unknown) : data, response }
  } catch (cause) {
    throw unreadable(cause)
  }
}
