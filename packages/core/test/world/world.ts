/**
 * A deployment in one process: the real core and worker, in-memory stores, and scripted engines and
 * receivers.
 */
import { NodeCrypto } from "@effect/platform-node"
import * as Memory from "@verbatim/adapters/memory"
import { FakeEngines, FakeMedia, FakeWebhookSender } from "@verbatim/testkit/fakes"
import { Layer } from "effect"
import * as Services from "#src/services/Services"
import type { Concurrency } from "#src/worker/Slots"
import { Worker } from "#src/worker/Worker"

const platform = Layer.mergeAll(
  NodeCrypto.layerSecureRandom,
  NodeCrypto.layerDigest,
  NodeCrypto.layerMac
)

/** The stores and fakes that all processes share. */
export const outside = Layer.mergeAll(
  Memory.layer,
  FakeEngines.layer,
  FakeMedia.layer,
  FakeWebhookSender.layer,
  platform
)

/** The services that callers use. */
export const front = Services.layer

export const workerOf = (concurrency: Concurrency) => Worker.layer(concurrency)

/** One worker process. Use `Layer.fresh` to get two processes. */
export const worker = workerOf({ Fetch: 2, Transcribe: 2, Summarize: 2, Deliver: 4 })

/** Callers and stores, without a worker. */
export const deployment = front.pipe(Layer.provideMerge(outside))

/** The whole deployment: callers, stores and a worker. */
export const world = worker.pipe(Layer.provideMerge(deployment))
