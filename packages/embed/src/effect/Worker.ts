/** A worker, everything that runs alongside it, and the settings for it and the services. */
import { availableParallelism, hostname } from "node:os"
import { MediaRetention, type Retention } from "@verbatim/core/job"
import { type Networks, OutboundPolicy } from "@verbatim/core/outbound"
import { Expiries, PieceSettings, WorkspaceRemoval } from "@verbatim/core/services"
import { MediaLimits, type Parameters, Templates } from "@verbatim/core/transcription"
import { version } from "@verbatim/core/version"
import {
  type Concurrency,
  ExpiryCollection,
  Heartbeat,
  LaneConcurrency,
  MediaCollection,
  Worker,
  workspaceCollection
} from "@verbatim/core/worker"
import {
  DefaultRetention,
  DefaultSecrets,
  type RetentionRule,
  type SecretText
} from "@verbatim/core/workspace"
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
    Layer.provide(workspaceCollection, WorkspaceRemoval.layer),
    Layer.provide(ExpiryCollection.layer, Expiries.layer)
  ).pipe(
    Layer.provide(
      Layer.succeed(PieceSettings, { atOnce: availableParallelism(), areReused: true, ...pieces })
    )
  )

/** Settings for an Effect program, all of them optional. */
export interface Settings {
  /** Maximum size of a file, in megabytes of 1,048,576 bytes. */
  readonly maxFileMegabytes?: number
  /**
   * Maximum number of concurrent downloads from one origin, and of concurrent webhooks to one
   * origin.
   */
  readonly originConcurrency?: number
  /** How long media is kept after its transcription. */
  readonly mediaRetention?: Retention
  /** The retention rule for workspaces without one. */
  readonly retention?: RetentionRule
  /** Webhook secrets for workspaces that have none. */
  readonly webhookSecrets?: ReadonlyArray<SecretText>
  /** Private networks that webhooks and downloads can reach. */
  readonly allowedNetworks?: Networks
  /** Named sets of parameters that requests can use. */
  readonly templates?: ReadonlyMap<string, Parameters>
}

const given = <A, B>(value: A | undefined, layer: (value: A) => Layer.Layer<B>) =>
  value === undefined ? Layer.empty : layer(value)

/**
 * Provides core's references with these values. Provide this layer to the services and the worker,
 * so that each setting reaches all parts of a process.
 */
export const settings = ({
  allowedNetworks,
  maxFileMegabytes,
  mediaRetention,
  originConcurrency,
  retention,
  templates,
  webhookSecrets
}: Settings): Layer.Layer<never> =>
  Layer.mergeAll(
    given(maxFileMegabytes, (max) => Layer.succeed(MediaLimits, { maxFileMegabytes: max })),
    given(originConcurrency, (max) => Layer.succeed(LaneConcurrency, max)),
    given(mediaRetention, (rule) => Layer.succeed(MediaRetention, rule)),
    given(retention, (rule) => Layer.succeed(DefaultRetention, rule)),
    given(webhookSecrets, (secrets) => Layer.succeed(DefaultSecrets, secrets)),
    given(allowedNetworks, (networks) =>
      Layer.succeed(OutboundPolicy, { allowedNetworks: networks })
    ),
    given(templates, (sets) => Layer.succeed(Templates, sets))
  )
