/**
 * How a process is put together from the real core, and what a host may put in its place.
 */

import type { AudioDecoder } from "@verbatim/core/ports/AudioDecoder"
import type { JobStore } from "@verbatim/core/ports/JobStore"
import type { MediaFetcher } from "@verbatim/core/ports/MediaFetcher"
import type { MediaStore } from "@verbatim/core/ports/MediaStore"
import type { Summarizer } from "@verbatim/core/ports/Summarizer"
import type { Transcriber } from "@verbatim/core/ports/Transcriber"
import type { WebhookSender } from "@verbatim/core/ports/WebhookSender"
import type { WorkspaceStore } from "@verbatim/core/ports/WorkspaceStore"
import { Commits } from "@verbatim/core/services/Commits"
import { Deliveries } from "@verbatim/core/services/Deliveries"
import { Jobs } from "@verbatim/core/services/Jobs"
import { MediaIdentity } from "@verbatim/core/services/MediaIdentity"
import { Presets } from "@verbatim/core/services/Presets"
import { Summaries } from "@verbatim/core/services/Summaries"
import { Transcriptions } from "@verbatim/core/services/Transcriptions"
import { Uploads } from "@verbatim/core/services/Uploads"
import { Workspaces } from "@verbatim/core/services/Workspaces"
import { Assignments } from "@verbatim/core/worker/Assignments"
import { Attempts } from "@verbatim/core/worker/Attempts"
import { Leases } from "@verbatim/core/worker/Leases"
import * as Presence from "@verbatim/core/worker/Presence"
import type { Concurrency } from "@verbatim/core/worker/Slots"
import { Worker } from "@verbatim/core/worker/Worker"
import { Layer } from "effect"
import type { Digest, Mac } from "effect/crypto"
import type { Stores } from "../ports/Stores.ts"
import type { Role } from "../world/Plan.ts"
import type { Platform } from "../world/World.ts"

/** What callers talk to. */
export type Front = Jobs | Presets | Workspaces

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
export interface Policies {
  /** How much a worker does at once. */
  readonly concurrency?: Concurrency
  /** Limits and settings that core reads as references, for example `MediaLimits`. */
  readonly references?: Layer.Layer<never>
  /** What each process puts before the stores, for example a cache of its own. */
  readonly stores?: Layer.Layer<never, never, Stores>
  /** How a worker writes what it did. */
  readonly commits?: Layer.Layer<Commits, never, JobStore>
  /** How a webhook is put together and sent. */
  readonly deliveries?: Layer.Layer<
    Deliveries,
    never,
    Digest.Digest | JobStore | Mac.Mac | WebhookSender | WorkspaceStore
  >
}

const usualConcurrency: Concurrency = { Fetch: 2, Transcribe: 2, Summarize: 2, Deliver: 4 }

const front = Layer.mergeAll(Jobs.layer, Presets.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Uploads.layer, Workspaces.layer)),
  Layer.provide(MediaIdentity.layer)
)

const workerOf = (
  name: string,
  {
    commits = Commits.layer,
    concurrency = usualConcurrency,
    deliveries = Deliveries.layer
  }: Policies
) =>
  Presence.layer(name).pipe(
    Layer.provideMerge(Worker.layer(concurrency)),
    Layer.provide(Layer.mergeAll(Attempts.layer, MediaIdentity.layer)),
    Layer.provide(Layer.mergeAll(Assignments.layer, commits, Leases.layer)),
    Layer.provide(Layer.mergeAll(deliveries, Summaries.layer, Transcriptions.layer))
  )

/** A process of a role. One that only works offers no front. */
export const compose = (
  { name, role }: { readonly name: string; readonly role: Role },
  policies: Policies
): Layer.Layer<Front | Worker, never, Ports> => {
  const { references = Layer.empty } = policies
  const worker = workerOf(name, policies)
  const whole = Layer.merge(front, worker).pipe(Layer.provide(references))
  if (role === "both") return whole
  // A part offers less than the whole; who asks for more asks the wrong process.
  const part =
    role === "http" ? Layer.provide(front, references) : Layer.provide(worker, references)
  return part as typeof whole
}
