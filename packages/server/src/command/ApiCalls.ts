/**
 * The HTTP API as commands call it: at a server, or over the store of this machine. Numbers of
 * answers keep their digits.
 */
import { createClient, type VerbatimClient, VerbatimError } from "@verbatim/client"
import { ExactNumber } from "@verbatim/core/schema"
import { Context, Effect, Option, Redacted, Runtime, Schema, Stream } from "effect"
import { CliError } from "effect/cli"
import { withoutSecrets } from "./Refusal.ts"

/** Why the API does not do what it was asked. */
export class ApiRefusal extends Schema.TaggedError<ApiRefusal>()("ApiRefusal", {
  /** Another caller changed what a condition is about, there is no such thing, or anything else. */
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

/** The API, called for one workspace unless an operator calls it. */
export class Api extends Context.Service<
  Api,
  {
    readonly client: VerbatimClient
    /** The address of the server; undefined for the store of this machine. */
    readonly url: string | undefined
    /** The workspace, where it is known without a call. */
    readonly workspaceId: string | undefined
    /** The same API called by an operator, where the caller is one. */
    readonly operator: VerbatimClient | undefined
  }
>()("@verbatim/server/command/Api") {}

/** What the API says when a condition does not hold. */
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
  return status === 409 && changed.has(sentence) ? "Changed" : "Refused"
}

const refuse = (sentence: string) => new ApiRefusal({ reason: "Refused", sentence })

/** Why a call failed. What is no error of the client is an answer in an unexpected form. */
const toRefusal = (error: unknown, url: string | undefined): ApiRefusal => {
  if (!(error instanceof VerbatimError)) {
    return refuse("Cannot read the server's answer; it may run another version")
  }
  const { kind, message, status } = error
  if (kind === "unreadable") return refuse(`The server at ${url} is not Verbatim`)
  if (kind === "refused") {
    return new ApiRefusal({ reason: reasonOf(status, message), sentence: message })
  }
  return refuse(url === undefined ? message : `${message}: ${url}`)
}

/** Calls the API. */
export const call = <A>(calling: (client: VerbatimClient) => Promise<A>) =>
  Effect.flatMap(Api, ({ client, url }) =>
    Effect.tryPromise({
      try: () => calling(client),
      catch: (error) => toRefusal(error, url)
    })
  )

/** Elements of a page, as many as there may be. */
export const pageMax = 100

/** Reads a list of the API to its end, page by page. */
export const callEach = <A>(listing: (client: VerbatimClient) => AsyncIterable<A>) =>
  Stream.unwrap(
    Effect.map(Api, ({ client, url }) =>
      Stream.fromAsyncIterable(listing(client), (error) => toRefusal(error, url))
    )
  )

/** Answers in JSON whose numbers keep their digits. */
const exactly = async ({ response }: { readonly response: Response }) => {
  const isJson = response.headers.get("content-type")?.startsWith("application/json")
  if (!response.ok || isJson !== true || response.status === 204) return undefined
  const text = await response.text()
  const exact = new Response(text, response)
  // With a length, the client asks the answer itself to parse it.
  exact.headers.set("content-length", String(text.length))
  const json = async () => Option.getOrThrowWith(ExactNumber.parse(text), () => new SyntaxError())
  return Object.assign(exact, { json })
}

/** Has a client keep the digits of numbers. */
export const keepDigits = <Client extends Pick<VerbatimClient, "use">>(client: Client): Client => {
  client.use({ onResponse: exactly })
  return client
}

/** The API of a server, called with a key. Calls end with the scope. */
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
  return Api.of({ client, url, workspaceId: undefined, operator: undefined })
})
