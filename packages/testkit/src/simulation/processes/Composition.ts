/**
 * How a process is put together from the real core, and what a host may put in its place.
 */

import type {
  AudioDecoder,
  MediaFetcher,
  MediaStore,
  Stores,
  Summarizer,
  Transcriber,
  WebhookSender
} from "@verbatim/core/ports"
import {
  type ApiKeys,
  type Corrections,
  Expiries,
  type JobFeeds,
  type Jobs,
  MediaIdentity,
  type Presets,
  Services,
  type Submissions,
  type Workspaces
} from "@verbatim/core/services"
import {
  type Concurrency,
  ExpiryCollection,
  Heartbeat,
  type Parts,
  Worker
} from "@verbatim/core/worker"
import { Layer } from "effect"
import type { Role } from "../world/Plan.ts"
import type { Platform } from "../world/World.ts"

/** What callers talk to. */
export type Front = ApiKeys | Corrections | JobFeeds | Jobs | Presets | Submissions | Workspaces

/** Everything outside of core. */
export type Ports =
  | AudioDecoder
  | MediaFetcher
  | MediaStore
  | Platform
  | Stores
  | Summarizer
  | Transcriber
  | WebhookSender

/** What a host changes about its processes. */
export interface Policies extends Parts {
  /** How much a worker does at once. */
  readonly concurrency?: Concurrency
  /** Limits and settings that core reads as references, for example `MediaLimits`. */
  readonly references?: Layer.Layer<never>
  /** What each process puts before the stores, for example a cache of its own. */
  readonly stores?: Layer.Layer<never, never, Stores>
}

const usualConcurrency: Concurrency = { Fetch: 2, Transcribe: 2, Summarize: 2, Deliver: 4 }

const workerOf = (name: string, { concurrency = usualConcurrency, ...parts }: Policies) =>
  Heartbeat.layer(name).pipe(Layer.provideMerge(Worker.layer(concurrency, parts)))

/** A process of a role. One that only works offers no front. */
export const compose = (
  { name, role }: { readonly name: string; readonly role: Role },
  policies: Policies
): Layer.Layer<Front | Worker, never, Ports> => {
  const { references = Layer.empty } = policies
  const worker = workerOf(name, policies)
  const whole = Layer.merge(Services.layer, worker).pipe(Layer.provide(references))
  if (role === "both") return whole
  const keeper = ExpiryCollection.layer.pipe(
    Layer.provide(Expiries.layer),
    Layer.provide(MediaIdentity.layer)
  )
  const parts = { http: Services.layer, worker, keeper } as const
  // A part offers less than the whole; whoever asks for more asks the wrong process.
  return Layer.provide(parts[role] as typeof whole, references)
}
