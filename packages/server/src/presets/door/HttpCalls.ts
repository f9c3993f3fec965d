/**
 * Calls of the HTTP API whose numbers keep their digits: the text of an answer is parsed here, and
 * what is refused becomes a refusal of the door.
 */
import { createClient, VerbatimError } from "@verbatim/client"
import { ExactNumber } from "@verbatim/core/schema"
import { Effect, Option, type Redacted, Redacted as Secret } from "effect"
import { DoorRefusal } from "./PresetDoor.ts"

/** Where a server is, and the key that is sent. */
export interface ServerAddress {
  readonly url: string
  readonly key: Redacted.Redacted
}

/** One call: a path of the API without `/v1`. */
export interface Call {
  readonly path: string
  readonly slug?: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

type Method = "DELETE" | "GET" | "PATCH" | "POST" | "PUT"

interface Answer {
  readonly data?: string
  readonly error?: unknown
  readonly response: Response
}

/** What the API says when a condition does not hold. */
const changed: ReadonlySet<string> = new Set([
  "Preset does not exist",
  "Preset already exists",
  "The designated version has changed",
  "Label does not exist",
  "Label already exists",
  "The label has moved"
])

const sentenceOf = (error: unknown): string | undefined => {
  const { error: inner } = (error ?? {}) as { readonly error?: { readonly message?: unknown } }
  return typeof inner?.message === "string" ? inner.message : undefined
}

const reasonOf = (status: number, sentence: string): DoorRefusal["reason"] => {
  if (status === 404) return "NotFound"
  return status === 409 && changed.has(sentence) ? "Changed" : "Refused"
}

const refusalOf = ({ error, response }: Answer): DoorRefusal => {
  const sentence = sentenceOf(error) ?? `The server answered with status ${response.status}`
  return new DoorRefusal({ reason: reasonOf(response.status, sentence), sentence })
}

const refused = (sentence: string) => new DoorRefusal({ reason: "Refused", sentence })

const withoutAbsent = (query: Call["query"] = {}) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))

/** Calls a server; the answer is parsed, and undefined where there is none. */
export type CallServer = (method: Method, call: Call) => Effect.Effect<unknown, DoorRefusal>

/** Makes what calls a server. */
export const makeCalls = ({ key, url }: ServerAddress) =>
  Effect.gen(function* () {
    const { request } = yield* Effect.try({
      try: () => createClient({ baseUrl: url, key: Secret.value(key) }),
      catch: (error) => refused(error instanceof VerbatimError ? error.message : "The URL is wrong")
    })
    // By path and method alone: the generated types read numbers as JavaScript does.
    const send = request as unknown as (
      method: string,
      path: string,
      init: Readonly<Record<string, unknown>>
    ) => Promise<Answer>

    return Effect.fnUntraced(function* (
      method: Method,
      { body, headers = {}, path, query, slug }: Call
    ) {
      const answer = yield* Effect.tryPromise({
        try: (signal) =>
          send(method.toLowerCase(), path, {
            params: {
              ...(slug === undefined ? {} : { path: { slug } }),
              query: withoutAbsent(query)
            },
            ...(body === undefined ? {} : { body }),
            headers,
            signal,
            parseAs: "text"
          }),
        catch: (error) =>
          refused(
            error instanceof VerbatimError ? `${error.message}: ${url}` : `${url}: ${String(error)}`
          )
      })
      if (!answer.response.ok) return yield* refusalOf(answer)
      if (answer.response.status === 204) return undefined
      const parsed = ExactNumber.parse(answer.data ?? "")
      if (Option.isNone(parsed)) return yield* refused(`What answers at ${url} is not Verbatim`)
      return parsed.value
    })
  })
