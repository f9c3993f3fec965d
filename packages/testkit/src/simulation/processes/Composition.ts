/** Composes a process from the real core and the parts that a host can replace. */

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
import { type Concurrency, ExpiryCollection, Heartbeat, Worker } from "@verbatim/core/worker"
import { Layer } from "effect"
import type { Role } from "../world/Plan.ts"
import type { Platform } from "../world/World.ts"

/** The services that callers use. */
export type Front = ApiKeys | Corrections | JobFeeds | Jobs | Presets | Submissions | Workspaces

/** All of core's ports. */
export type Ports =
  | AudioDecoder
  | MediaFetcher
  | MediaStore
  | Platform
  | Stores
  | Summarizer
  | Transcriber
  | WebhookSender

/** The parts that a host replaces in its processes. */
export interface Policies {
  /** Maximum number of tasks of each kind that a worker runs at a time. */
  readonly concurrency?: Concurrency
  /** Limits and settings that core reads through references, such as `MediaLimits`. */
  readonly references?: Layer.Layer<never>
  /** A layer in front of each process's stores, such as a cache. */
  readonly stores?: Layer.Layer<never, never, Stores>
}

const usualConcurrency: Concurrency = { Fetch: 2, Transcribe: 2, Summarize: 2, Deliver: 4 }

const workerOf = (name: string, { concurrency = usualConcurrency }: Policies) =>
  Heartbeat.layer(name, Worker.layer(concurrency))

/** Composes a process for its role. A process that only runs a worker accepts no calls. */
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
  // A process can have only some of the services. A call to a missing one is a defect of the
  // caller.
  return Layer.provide(parts[role] as typeof whole, references)
}
