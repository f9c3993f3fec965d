/**
 * Calls the API for tools. A call is a request to the same routes that clients use, with the
 * credentials of the message that calls the tool. Keys, scopes, limits, validation and messages are
 * therefore the same.
 */
import { Effect, Schema } from "effect"
import { readMessage } from "../edge/ErrorAnswer.ts"
import { requestIdHeader } from "../edge/RequestLogging.ts"
import type { CalledOperation } from "./ToolArguments.ts"

/** The error for an invalid argument to a tool. */
export class InvalidArgument extends Schema.TaggedError<InvalidArgument>()("InvalidArgument", {
  name: Schema.String,
  rule: Schema.String
}) {
  override get message(): string {
    return `Invalid argument '${this.name}': ${this.rule}`
  }
}

/** Handles a request inside this process. The promise never rejects. */
export type Fetch = (request: Request) => Promise<Response>

export interface ApiAnswer {
  readonly status: number
  readonly isJson: boolean
  readonly text: string
  readonly retryAfter: string | null
}

/** The texts that a tool returns, and whether the tool failed. */
export interface ToolResult {
  readonly texts: ReadonlyArray<string>
  readonly isError?: boolean
}

/**
 * Converts a response of the API to the result of a tool. The message of a refusal stays unchanged.
 */
export const toResult = ({ isJson, retryAfter, status, text }: ApiAnswer): ToolResult => {
  if (status < 400) return { texts: [text] }
  const wait = retryAfter === null ? [] : [`Retry after ${retryAfter} seconds`]
  return { texts: [isJson ? (readMessage(text) ?? text) : text, ...wait], isError: true }
}

/** The arguments of a tool call, keyed by name. */
export type Arguments = Readonly<Record<string, unknown>>

interface ApiCall {
  readonly parameters?: Arguments
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type CallApi = (
  operation: CalledOperation,
  call: ApiCall
) => Effect.Effect<ApiAnswer, InvalidArgument>

/**
 * The origin in the URLs of in-process calls. The name belongs to no server, because no request
 * leaves the process.
 */
export const origin = "http://verbatim.invalid"

/** Headers that say something about the message, not about its sender. */
const ownHeaders = new Set([
  ...["connection", "expect", "host", "idempotency-key", "keep-alive", "last-event-id", "origin"],
  ...["prefer", "range", "te", "trailer", "upgrade", "x-session-id"]
])

/** Prefixes of headers that describe a message, such as `content-type` and `content-length`. */
const ownFamily = /^(?:accept|content|if|mcp|proxy|sec|transfer)\b/

const isOwn = (name: string): boolean => ownHeaders.has(name) || ownFamily.test(name)

/** Keeps all headers that a host could use to identify a message's sender. */
export const pickCredentials = (
  headers: Readonly<Record<string, string | undefined>>,
  requestId?: string
): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !isOwn(entry[0])
    )
  ),
  ...(requestId === undefined ? {} : { [requestIdHeader]: requestId })
})

/** Converts a parameter to text. Null counts as omitted. */
const toText = (
  name: string,
  value: unknown
): Effect.Effect<string | undefined, InvalidArgument> => {
  if (value === undefined || value === null) return Effect.succeed(undefined)
  if (typeof value === "string") return Effect.succeed(value.toWellFormed())
  return typeof value === "number" || typeof value === "boolean"
    ? Effect.succeed(String(value))
    : Effect.fail(new InvalidArgument({ name, rule: "must be text, a number or a boolean" }))
}

/**
 * Matches segments that a URL parser removes. Without them, a path could name a different
 * operation.
 */
const dots = /^\.{0,2}$/

const fillPath = Effect.fnUntraced(function* (operation: CalledOperation, given: Arguments) {
  let path = operation.path
  for (const name of operation.inPath) {
    const value = (yield* toText(name, given[name])) ?? ""
    if (dots.test(value)) return yield* new InvalidArgument({ name, rule: "must be a name" })
    path = path.replace(`{${name}}`, () => encodeURIComponent(value))
  }
  return path
})

const writeQuery = Effect.fnUntraced(function* (operation: CalledOperation, given: Arguments) {
  const query = new URLSearchParams()
  for (const name of operation.inQuery) {
    const value = yield* toText(name, given[name])
    if (value !== undefined) query.set(name, value)
  }
  return query.size === 0 ? "" : `?${query}`
})

/** Calls the API with the credentials of a message. */
export const makeCallApi = (fetch: Fetch, credentials: Record<string, string>): CallApi =>
  Effect.fnUntraced(function* (operation, { body, headers, parameters = {} }) {
    const path = yield* fillPath(operation, parameters)
    const query = yield* writeQuery(operation, parameters)
    const sent = body === undefined ? undefined : JSON.stringify(body)
    return yield* Effect.promise(async (signal): Promise<ApiAnswer> => {
      const response = await fetch(
        new Request(`${origin}${path}${query}`, {
          method: operation.method,
          headers: {
            ...credentials,
            ...(sent === undefined ? {} : { "content-type": "application/json" }),
            ...headers
          },
          signal,
          ...(sent === undefined ? {} : { body: sent })
        })
      )
      return {
        status: response.status,
        isJson: response.headers.get("content-type")?.startsWith("application/json") === true,
        text: await response.text(),
        retryAfter: response.headers.get("retry-after")
      }
    })
  })
