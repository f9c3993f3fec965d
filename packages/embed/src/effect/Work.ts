/** A worker, and everything that runs with it. */
import { hostname } from "node:os"
import { Expiries, WorkspaceRemoval } from "@verbatim/core/services"
import { version } from "@verbatim/core/version"
import {
  type Concurrency,
  ExpiryCollection,
  Heartbeat,
  MediaCollection,
  Worker,
  workspaceCollection
} from "@verbatim/core/worker"
import { Layer } from "effect"

/** What this process is called where workers are listed: machine, process and version. */
export const workerName = `${hostname()} ${process.pid} (${version})`

/**
 * Attempts side by side. Downloads and webhooks spend most of their time waiting. A workspace alone
 * takes half of these slots, and one origin four of them, unless the host wants more. A webhook
 * holds its body meanwhile: 13 MB after ten hours of speech, usually some kilobytes.
 */
const usual: Concurrency = { Fetch: 32, Deliver: 128, Transcribe: 1, Summarize: 1 }

/** What a worker may be told. */
export interface WorkerOptions {
  /** Attempts of each kind at the same time; those of engines one, unless the host wants more. */
  readonly concurrency?: Partial<Concurrency>
  /** What it is called where workers are listed: `workerName`, if left out. */
  readonly name?: string
}

/**
 * Does the work that jobs owe, and removes what nobody needs any more: media, what retention says
 * should go, and what deleted workspaces had.
 */
export const worker = ({ concurrency = {}, name = workerName }: WorkerOptions = {}) =>
  Layer.mergeAll(
    Heartbeat.layer(name).pipe(Layer.provideMerge(Worker.layer({ ...usual, ...concurrency }))),
    MediaCollection.layer,
    Layer.provide(workspaceCollection, WorkspaceRemoval.layer),
    Layer.provide(ExpiryCollection.layer, Expiries.layer)
  )
