/** Settings for the services and the worker, which read them as Effect references with defaults. */
import { MediaRetention, type Retention } from "@verbatim/core/job"
import { type Networks, OutboundPolicy } from "@verbatim/core/outbound"
import { MediaLimits, type Parameters, Templates } from "@verbatim/core/transcription"
import { LaneConcurrency } from "@verbatim/core/worker"
import {
  DefaultRetention,
  DefaultSecrets,
  type RetentionRule,
  type SecretText
} from "@verbatim/core/workspace"
import { Layer } from "effect"

/** Settings of an Effect program. All are optional. */
export interface Settings {
  /** Maximum size of a recording, in megabytes of 1,048,576 bytes. */
  readonly maxFileMegabytes?: number
  /**
   * Maximum number of concurrent downloads from one origin, and of concurrent webhooks to one
   * origin.
   */
  readonly originConcurrency?: number
  /** The time for which a recording is kept after its transcription. */
  readonly mediaRetention?: Retention
  /** The retention rule of workspaces that have none. */
  readonly retention?: RetentionRule
  /** Secrets that sign webhooks for workspaces without their own secrets. */
  readonly webhookSecrets?: ReadonlyArray<SecretText>
  /** Private networks that webhooks and downloads can access. */
  readonly allowedNetworks?: Networks
  /** Named sets of job parameters that requests can refer to. */
  readonly templates?: ReadonlyMap<string, Parameters>
}

const given = <A, B>(value: A | undefined, layer: (value: A) => Layer.Layer<B>) =>
  value === undefined ? Layer.empty : layer(value)

/**
 * Sets core's references to these values. Provide this layer to both the services and the worker,
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
