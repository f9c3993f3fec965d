/** Contract cases for `WebhookSender`. The adapter's test opens the receivers. */
import { type WebhookPost, WebhookSender } from "@verbatim/core/ports"
import { Context, Duration, Effect, Fiber, Result, type Scope } from "effect"
import { atOnce, type Cases, type Contract, endsWithin, listCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"

/** How a receiver responds to every request. */
export type Manner =
  | {
      readonly _tag: "Answers"
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The receiver reads the request and does not respond. */
  | { readonly _tag: "SaysNothing" }
  /** The receiver reads the request and closes the connection. */
  | { readonly _tag: "Closes" }

/** A received request, with lowercase header names. */
export interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A receiver that runs until the scope closes. */
export interface OpenReceiver {
  /** The origin, in the form `http://<host>:<port>`. */
  readonly origin: string
  readonly arrived: Effect.Effect<ReadonlyArray<Arrived>>
}

/** Opens the test's receivers at addresses that the sender under test can reach. */
export class Receivers extends Context.Service<
  Receivers,
  { readonly open: (manner: Manner) => Effect.Effect<OpenReceiver, never, Scope.Scope> }
>()("@verbatim/testkit/contracts/Receivers") {}

type Ports = WebhookSender | Receivers

const open = (manner: Manner) => Receivers.use((receivers) => receivers.open(manner))

const answers = (status: number, headers: Readonly<Record<string, string>> = {}): Manner => ({
  _tag: "Answers",
  status,
  headers
})

const send = (post: Partial<WebhookPost> & { readonly url: string }) =>
  WebhookSender.use((sender) =>
    sender.post({
      headers: { "Content-Type": "application/json" },
      body: "{}",
      timeout: Duration.seconds(5),
      ...post
    })
  )

const statusOf = (url: string) => Effect.map(send({ url }), ({ status }) => status)

const countOf = ({ arrived }: OpenReceiver) => Effect.map(arrived, ({ length }) => length)

/**
 * Headers of every request with a body (RFC 9112). Either of two headers states the body's length.
 */
const neededByHttp = new Set(["host", "connection", "content-length", "transfer-encoding"])

/** The timeout of a request, and the maximum duration of the call. */
const timeout = Duration.seconds(1)
const late = Duration.seconds(2)

const cases: Cases<Ports> = listCases(WebhookSender, {
  *"sends one POST with exactly the given path, headers and body"() {
    const receiver = yield* open(answers(200))
    const headers = {
      "Content-Type": "application/json",
      "webhook-id": "a",
      "X-Callback-ID": "utf8-b64:w6k="
    }
    const body = JSON.stringify({ text: "é".repeat(50_000) })
    yield* send({ url: `${receiver.origin}/hook/a?b=c%20d`, headers, body })
    const [first, ...others] = yield* receiver.arrived
    yield* Expect.that("there is one request", others.length).is(0)
    yield* Expect.that("the received request is the given request", [
      first?.method,
      first?.path,
      first?.body
    ]).is(["POST", "/hook/a?b=c%20d", body])
    const own = Object.entries(first?.headers ?? {}).filter(([name]) => !neededByHttp.has(name))
    yield* Expect.that("no header is added", Object.fromEntries(own)).is({
      "content-type": "application/json",
      "webhook-id": "a",
      "x-callback-id": "utf8-b64:w6k="
    })
  },
  "returns the receiver's status, whatever it is, after one request": Effect.forEach(
    [200, 202, 204, 299, 300, 304, 400, 404, 408, 410, 429, 500, 503, 599],
    Effect.fnUntraced(function* (status) {
      const receiver = yield* open(answers(status, { "retry-after": "0" }))
      yield* statusOf(receiver.origin).pipe(Expect.gives("the status is the receiver's", status))
      yield* countOf(receiver).pipe(Expect.gives("the receiver got one request", 1))
    }),
    { discard: true }
  ),
  *"does not follow redirects"() {
    const other = yield* open(answers(200))
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = yield* open(answers(status, { location: other.origin }))
      yield* Expect.that("the redirect is the answer", yield* statusOf(receiver.origin)).is(status)
    }
    yield* countOf(other).pipe(Expect.gives("no request came", 0))
  },
  *"fails after one request when the receiver closes the connection without a response"() {
    const receiver = yield* open({ _tag: "Closes" })
    const outcome = yield* Effect.result(send({ url: receiver.origin }))
    yield* Expect.holds("the webhook fails", Result.isFailure(outcome))
    yield* countOf(receiver).pipe(Expect.gives("the receiver got one request", 1))
  },
  *"ends within its timeout when the receiver does not respond"() {
    const receiver = yield* open({ _tag: "SaysNothing" })
    const sending = yield* Effect.forkChild(Effect.result(send({ url: receiver.origin, timeout })))
    yield* Expect.holds("in time", yield* endsWithin(Fiber.await(sending), late))
    yield* Expect.holds("the webhook fails", Result.isFailure(yield* Fiber.join(sending)))
    yield* countOf(receiver).pipe(Expect.gives("the receiver got one request", 1))
  },
  *"sends each of many concurrent webhooks with its own body"() {
    const receivers = yield* Effect.forEach([201, 404, 503], (status) => open(answers(status)))
    const statuses = yield* atOnce(receivers, ({ origin }) =>
      Effect.map(send({ url: origin, body: origin }), ({ status }) => status)
    )
    yield* Expect.that("each webhook has its own status", statuses).is([201, 404, 503])
    for (const { arrived, origin } of receivers) {
      yield* Expect.that(
        "each webhook has its own body",
        (yield* arrived).map(({ body }) => body)
      ).is([origin])
    }
  }
})

export const contract: Contract<Ports> = { port: "WebhookSender", cases, advance: Effect.sleep }
