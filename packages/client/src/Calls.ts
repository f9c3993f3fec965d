/**
 * What every named call shares: its options, and its answer as a value or as an error.
 */
import { refusal, unreachable, unreadable, unsent } from "./VerbatimError.ts"

// biome-ignore lint/suspicious/noExplicitAny: of all types, `any` alone asks for no index signature
type Anything = any

type IsOptional<Body, Name extends keyof Body> =
  Body extends Required<Pick<Body, Name>> ? false : true

/**
 * The body of an inference request, such that the types of its maker's SDK fit without a cast.
 * Those have no index signatures, null where a field may be left out, and values that our lists
 * lack. What a preset does not take, the server refuses in a sentence.
 */
export type MakersBody<Body> = Body extends string
  ? Body | (string & {})
  : Body extends boolean
    ? boolean
    : Body extends ReadonlyArray<infer Item>
      ? ReadonlyArray<MakersBody<Item>>
      : Body extends object
        ? {
            [Name in keyof Body]: string extends Name
              ? Anything
              : Name extends "previous_response_id" | "prompt_cache_options"
                ? Anything
                : MakersBody<Body[Name]> | (IsOptional<Body, Name> extends true ? null : never)
          }
        : Body

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** The name of the request in the log of the server: `X-Request-Id`. */
  readonly requestId?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Options of a call that creates. */
export interface CreateOptions extends CallOptions {
  /**
   * `Idempotency-Key`: the same key with the same request, within 24 hours, is carried out once.
   * One is made when there is none, so that the client itself may repeat the call.
   */
  readonly idempotencyKey?: string | undefined
}

/** Options of a call that writes under a condition. */
export interface ConditionOptions extends CallOptions {
  /** The id or the version that was read: another one by now refuses the write with 409. */
  readonly ifMatch?: string | number | null | undefined
  /** `*` writes only where there is none yet; an id, only while it is not the current one. */
  readonly ifNoneMatch?: string | undefined
}

type Init = { headers: Record<string, string>; signal?: AbortSignal }

type Given = CreateOptions & ConditionOptions

const toTag = (id: string | number): string => (id === "*" ? id : `"${id}"`)

/** The headers as they are, when each can be sent. */
export const checkHeaders = (headers: Readonly<Record<string, string>> = {}) => {
  for (const [name, value] of Object.entries(headers)) {
    const isSendable = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t -~\x80-\xff]*$/.test(value)
    if (!isSendable) throw unsent(`The header ${JSON.stringify(name)} cannot be sent`)
  }
  return { ...headers }
}

/** The options as the underlying client takes them. */
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

/** Makes a unique key, also in pages without `crypto.randomUUID`, which needs HTTPS. */
const makeIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0")
  ).join("")

/** The same of a call that creates, with a key where the client itself may repeat it. */
export const toRepeatable = (given: Given, isRepeating: boolean): Init => {
  const idempotencyKey = given.idempotencyKey ?? (isRepeating ? makeIdempotencyKey() : undefined)
  return toInit({ ...given, idempotencyKey })
}

interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** The answer with its response; a refusal rejects with a `VerbatimError`. */
export const settle = async <Data>(
  calling: Promise<Answer<Data>>
): Promise<{ readonly data: Data; readonly response: Response }> => {
  const answer = await calling.catch((cause: unknown) => {
    if (cause instanceof SyntaxError) throw unreadable(cause)
    // A platform tells so that the connection broke while the answer was read.
    throw cause instanceof TypeError ? unreachable(cause) : cause
  })
  const { data, error, response } = answer
  if (!response.ok) throw refusal(response, error)
  return { data: data as Data, response }
}

/** The text of an answer, parsed where it is JSON. */
export const readText = async (calling: Promise<Answer<unknown>>) => {
  const { data, response } = await settle(calling)
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
  try {
    return { data: isJson ? (JSON.parse(data as string) as unknown) : data, response }
  } catch (cause) {
    throw unreadable(cause)
  }
}
