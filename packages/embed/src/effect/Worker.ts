/** A worker, and everything that runs alongside it. */
import { availableParallelism, hostname } from "node:os"
import { Expiries, PieceSettings } from "@verbatim/core/services"
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

/** The name of this process in lists of workers: machine, process and version. */
export const workerName = `${hostname()} ${process.pid} (${version})`

/**
 * Concurrent attempts. Downloads and webhooks spend most of their time waiting. Unless the host
 * sets higher numbers, one workspace uses at most half of these slots, and one origin at most four.
 * A running webhook keeps its body in memory: usually a few kilobytes, but 13 MB after ten hours of
 * speech.
 */
const usual: Concurrency = { Fetch: 32, Deliver: 128, Transcribe: 1, Summarize: 1 }

/** Options of `worker`. */
export interface WorkerOptions {
  /** Concurrent attempts of each kind. Default: one for engines. */
  readonly concurrency?: Partial<Concurrency>
  /**
   * How recordings are recognised in pieces. By default, there are as many concurrent pieces as
   * cores, and results are reused within a workspace.
   */
  readonly pieces?: Partial<PieceSettings>
  /** The worker's name in lists of workers. Default: `workerName`. */
  readonly name?: string
}

/**
 * Does the pending work of jobs, and removes data that is no longer needed: unused media, expired
 * data, and the contents of deleted workspaces.
 */
export const worker = ({ concurrency = {}, name = workerName, pieces }: WorkerOptions = {}) =>
  Layer.mergeAll(
    Heartbeat.layer(name, Worker.layer({ ...usual, ...concurrency })),
    MediaCollection.layer,
    workspaceCollection,
    Layer.provide(ExpiryCollection.layer, Expiries.layer)
  ).pipe(
    Layer.provide(
      Layer.succeed(PieceSettings, { atOnce: availableParallelism(), areReused: true, ...pieces })
    )
  )
