/**
 * Calls the HTTP API for commands: on a server, or in this process with the local store. Numbers in
 * responses keep all their digits.
 */
import { createClient, type VerbatimClient, VerbatimError } from "@verbatim/client"
import { ExactNumber } from "@verbatim/core/schema"
import { Context, Effect, Option, Redacted, Runtime, Schema, Stream } from "effect"
import { CliError } from "effect/cli"
import { withoutSecrets } from "./Refusal.ts"

/** The error for a call that failed or that the API refused. */
export class ApiRefusal extends Schema.TaggedError<ApiRefusal>()("ApiRefusal", {
  /** `Changed` means that another caller has changed what a precondition protects. */
  reason: Schema.Literals(["Changed", "NotFound", "Refused"]),
  sentence: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = 1
  override get message(): string {
    return this.sentence
  }
  override get [CliError.userMessage](): string {
    return `${withoutSecrets(this.sentence).replace(/\.$/, "")}.`
  }
}

/** The API for one caller, who acts for a workspace or as an operator. */
export class Api extends Context.Service<
  Api,
  {
    readonly client: VerbatimClient
    /** The address of the server. The local store has none. */
    readonly url?: string
    /** The workspace's id, if it is known without a call. */
    readonly workspaceId?: string
    /** The client of an operator, if the caller is one. */
    readonly operator?: VerbatimClient
  }
>()("@verbatim/server/command/Api") {}

/** The API's messages for a failed precondition. */
const changed: ReadonlySet<string> = new Set([
  "Preset does not exist",
  "Preset already exists",
  "The designated version has changed",
  "Label does not exist",
  "Label already exists",
  "The label has moved"
])

const reasonOf = (status: number, sentence: string): ApiRefusal["reason"] => {
  if (status === 404) return "NotFound"
  const isChanged = changed.has(sentence) || sentence.startsWith("The status of ")
  return status === 409 && isChanged ? "Changed" : "Refused"
}

const refuse = (sentence: string) => new ApiRefusal({ reason: "Refused", sentence })

/**
 * Explains a failed call. An error of another kind means that the response has an unexpected form.
 */
const toRefusal = (error: unknown, url: string | undefined): ApiRefusal => {
  if (!(error instanceof VerbatimError)) {
    return refuse("Cannot read the server's answer; it may run another version")
  }
  const { kind, message, status } = error
  if (kind === "unreadable") return refuse(`The server at ${url} is not Verbatim`)
  if (kind === "refused") {
    if (url === undefined && status === 500) {
      return refuse("The store failed. `verbatim doctor` checks it; the log has the cause")
    }
    if (url?.match(/\/v1\/?$/) && message === "Not Found") {
      return refuse(`There is no API at ${url}. Leave out /v1`)
    }
    return new ApiRefusal({ reason: reasonOf(status, message), sentence: message })
  }
  return refuse(url === undefined ? message : `${message}: ${url}`)
}

/** Calls the API. If the caller is interrupted, the call is aborted. */
export const call = <A>(calling: (client: VerbatimClient, signal: AbortSignal) => Promise<A>) =>
  Effect.flatMap(Api, ({ client, url }) =>
    Effect.tryPromise({
      try: (signal) => calling(client, signal),
      catch: (error) => toRefusal(error, url)
    })
  )

/** Returns `none` if a call fails because something does not exist. */
export const orNone = <A, R>(calling: Effect.Effect<A, ApiRefusal, R>) =>
  Effect.catchIf(
    Effect.asSome(calling),
    ({ reason }) => reason === "NotFound",
    () => Effect.succeedNone
  )

/** The maximum number of elements on a page. */
export const pageMax = 100

/** Reads a whole list from the API, page by page. */
export const callEach = <A>(listing: (client: VerbatimClient) => AsyncIterable<A>) =>
  Stream.unwrap(
    Effect.map(Api, ({ client, url }) =>
      Stream.fromAsyncIterable(listing(client), (error) => toRefusal(error, url))
    )
  )

/** Reads the beginning of a list from the API. */
export const callUpTo = <A>(
  count: number,
  listing: (client: VerbatimClient, limit: number) => AsyncIterable<A>,
  limitMax = pageMax
) =>
  Stream.take(
    callEach((client) => listing(client, Math.min(count, limitMax))),
    count
  )

/** Fetches a response and parses its JSON so that numbers keep all their digits. */
const exactly = async ({ response }: { readonly response: Response }) => {
  const isJson = response.headers.get("content-type")?.startsWith("application/json")
  if (!response.ok || isJson !== true || response.status === 204) return undefined
  const text = await response.text()
  const exact = new Response(text, response)
  // The client calls `json` only if the response has a length.
  exact.headers.set("content-length", String(text.length))
  const json = async () => Option.getOrThrowWith(ExactNumber.parse(text), () => new SyntaxError())
  return Object.assign(exact, { json })
}

/** Wraps a client so that numbers keep all their digits. */
export const keepDigits = <Client extends Pick<VerbatimClient, "use">>(client: Client): Client => {
  client.use({ onResponse: exactly })
  return client
}

/** Connects to a server with a key. Calls are aborted when the scope ends. */
export const atServer = Effect.fnUntraced(function* (url: string, key: Redacted.Redacted) {
  const signal = yield* Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    ),
    (controller) => controller.signal
  )
  const client = yield* Effect.try({
    try: () => keepDigits(createClient({ baseURL: url, key: Redacted.value(key), signal })),
    catch: (error) => refuse(error instanceof VerbatimError ? error.message : "The URL is invalid")
  })
  return Api.of({ client, url })
})
