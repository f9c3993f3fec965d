/**
 * Sends a POST to a trusted origin. The body is streamed, with a declared length, and never held in
 * memory. The response is read completely, up to a limit. Redirects are not followed, but returned
 * like any other response.
 */
import { Readable } from "node:stream"
import { Duration, Effect, Option, Stream } from "effect"
import type { Limits, TrustedOrigin } from "./Guard.ts"
import { type Answer, exchange } from "./GuardedClient.ts"
import { codeOf, type OutboundError, unreachable, within } from "./OutboundError.ts"
import { isCompressed } from "./RemoteFile.ts"

/** A POST with a streamed body. */
export interface Upload<E> {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly content: Stream.Stream<Uint8Array, E>
  /** The exact length of the content. */
  readonly byteLength: number
  /** Maximum size of the response. A longer response is truncated and marked. */
  readonly maxAnswerBytes: number
  /** Limit for the whole call: connecting, sending, waiting and reading. */
  readonly timeout: Duration.Duration
}

/** The response to an upload. */
export interface Reply {
  readonly status: number
  readonly headers: Answer["headers"]
  readonly body: Uint8Array
  /** Whether the response was truncated. */
  readonly isCut: boolean
}

interface Progress {
  bytes: number
  isWhole: boolean
}

/**
 * Fails if the peer accepts data more slowly than the minimum pace. Never completes once all data
 * has been sent.
 */
const watchPace = (progress: Progress, host: string, limits: Limits) =>
  Effect.gen(function* () {
    const bytesMin = limits.bytesPerSecondMin * Duration.toSeconds(limits.paceWindow)
    for (;;) {
      const before = progress.bytes
      yield* Effect.sleep(limits.paceWindow)
      if (progress.isWhole) return yield* Effect.never
      if (progress.bytes - before < bytesMin) return yield* unreachable(host, "UploadTooSlow")
    }
  })

const replyFrom = Effect.fnUntraced(function* (answer: Answer, bytesMax: number) {
  const host = answer.url.hostname
  if (isCompressed(answer)) return yield* unreachable(host, "Compressed")
  let length = 0
  const chunks = yield* Stream.fromAsyncIterable(answer.body, (cause) =>
    unreachable(host, codeOf(cause))
  ).pipe(
    Stream.takeUntil((chunk) => {
      length += chunk.byteLength
      return length > bytesMax
    }),
    Stream.runCollect
  )
  const { headers, status } = answer
  const body: Uint8Array = Buffer.concat(chunks).subarray(0, bytesMax)
  return { status, headers, body, isCut: length > bytesMax } satisfies Reply
})

/**
 * Sends the content in a single attempt. If the stream of content fails, fails with the same error.
 */
export const upload = Effect.fnUntraced(function* <E>(
  { maxAnswerBytes, byteLength, content, headers, timeout, url }: Upload<E>,
  { guard, origin }: TrustedOrigin
): Effect.fn.Return<Reply, E | OutboundError> {
  const target = URL.parse(url)
  if (target?.origin !== origin) return yield* unreachable("refused", "ForeignOrigin")
  const progress: Progress = { bytes: 0, isWhole: false }
  let broken = Option.none<E>()
  const counted = content.pipe(
    Stream.tap((chunk) =>
      Effect.sync(() => {
        progress.bytes += chunk.byteLength
      })
    ),
    Stream.tapError((error) =>
      Effect.sync(() => {
        broken = Option.some(error)
      })
    ),
    Stream.onEnd(
      Effect.sync(() => {
        progress.isWhole = true
      })
    )
  )
  const body = Readable.from(Stream.toAsyncIterable(counted), { objectMode: false })
  const sent = exchange(
    {
      url,
      method: "POST",
      headers: { ...headers, "accept-encoding": "identity", "content-length": `${byteLength}` },
      body
    },
    guard
  ).pipe(
    Effect.flatMap((answer) => replyFrom(answer, maxAnswerBytes)),
    Effect.scoped
  )
  return yield* Effect.raceFirst(sent, watchPace(progress, target.hostname, guard.limits)).pipe(
    within(timeout),
    Effect.catch(
      (error): Effect.Effect<never, E | OutboundError> =>
        Effect.fail(Option.getOrElse(broken, () => error))
    ),
    Effect.ensuring(Effect.sync(() => void body.destroy()))
  )
})
