/** Runs a worker, and the maintenance that goes with it. */
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

/**
 * The name of this process in lists of workers, which consists of machine, process id and version.
 */
export const workerName = `${hostname()} ${process.pid} (${version})`

/**
 * The number of concurrent attempts of each kind. Downloads and webhooks spend most of their time
 * waiting. Unless the host sets higher numbers, one workspace uses at most half of these slots, and
 * one origin at most four. A running webhook keeps its body in memory: usually a few kilobytes, but
 * 13 MB after ten hours of speech.
 */
const usual: Concurrency = { Fetch: 32, Deliver: 128, Transcribe: 1, Summarize: 1 }

/** Options of `worker`. */
export interface WorkerOptions {
  /** Maximum number of concurrent attempts of each kind. Default: one for engines. */
  readonly concurrency?: Partial<Concurrency>
  /**
   * Settings for recognising a recording in pieces. By default, as many pieces as there are cores
   * are recognised concurrently, and results are reused within a workspace.
   */
  readonly pieces?: Partial<PieceSettings>
  /** The worker's name in lists of workers. Default: the value of `workerName`. */
  readonly name?: string
}

/**
 * Does the pending work of jobs, and removes unused media, expired data and the contents of deleted
 * workspaces.
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
