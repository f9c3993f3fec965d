/**
 * A whole deployment over real sockets, with the real core and worker, memory stores, scripted
 * engines, and the outbound ports that a test chooses.
 */
import { NodeCrypto } from "@effect/platform-node"
import * as Memory from "@verbatim/adapters/memory"
import { type Networks, OutboundPolicy } from "@verbatim/core/outbound"
import type { MediaFetcher, MediaStore, WebhookSender } from "@verbatim/core/ports"
import { Services, Submissions, Workspaces } from "@verbatim/core/services"
import { Worker } from "@verbatim/core/worker"
import type { Principal } from "@verbatim/core/workspace"
import { FakeEngines } from "@verbatim/testkit/fakes"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"

/** Options for a test, which are the outbound ports and the addresses that callers can use. */
export interface Outside {
  readonly allowedNetworks: Networks
  readonly net: Layer.Layer<MediaFetcher | MediaStore | WebhookSender>
}

/** A deployment with callers, stores and engines, but without a worker. */
export const outside = ({ allowedNetworks, net }: Outside) =>
  Services.layer.pipe(
    Layer.provide(Layer.succeed(OutboundPolicy, { allowedNetworks })),
    Layer.provideMerge(
      Layer.mergeAll(
        Memory.layer,
        FakeEngines.layer,
        net,
        NodeCrypto.layerSecureRandom,
        NodeCrypto.layerDigest,
        NodeCrypto.layerMac
      )
    )
  )

/**
 * A worker with more concurrent deliveries than a test has receivers, so that none waits for
 * another.
 */
export const worker = Worker.layer({ Fetch: 4, Transcribe: 16, Summarize: 1, Deliver: 256 })

/** Creates a workspace with 600 minutes, and returns its caller. */
export const caller = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  yield* workspaces.found({ keys: [], minutes: 600 })
  const [account] = yield* workspaces.accounts({ after: null, limit: 1 })
  if (account === undefined) return yield* Effect.die("a founded store has no workspace")
  const { firstUserId, id } = account.workspace
  return { kind: "inference" as const, workspaceId: id, userId: firstUserId }
})

/** Submits a file with a webhook to the URL, and returns the job's id. */
export const submitFile = Effect.fnUntraced(function* (principal: Principal, callbackUrl: string) {
  const submissions = yield* Submissions
  const content = Stream.succeed(new Uint8Array(8))
  const { id } = yield* submissions.submit(principal, {
    isTextual: false,
    parts: Stream.fromArray([
      { _tag: "Parameter" as const, name: "callback_url", value: callbackUrl },
      { _tag: "File" as const, name: "file", filename: "a.wav", content }
    ])
  })
  return id
})

/** Submits a URL, and returns the job's id. */
export const submitUrl = Effect.fnUntraced(function* (principal: Principal, url: string) {
  const submissions = yield* Submissions
  const { id } = yield* submissions.submit(principal, {
    isTextual: false,
    parts: Stream.succeed({ _tag: "Parameter" as const, name: "url", value: url })
  })
  return id
})

/**
 * Waits for the given number of milliseconds in real time, because sockets do not follow the test
 * clock.
 */
export const really = (millis: number) => TestClock.withLive(Effect.sleep(millis))

/** Moves the test clock in steps, with real time in between. */
export const pass = (seconds: number) =>
  Effect.forEach(
    Array.from({ length: seconds }),
    () => Effect.andThen(TestClock.adjust("1 second"), really(2)),
    { discard: true }
  )
