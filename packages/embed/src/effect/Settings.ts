/** Settings for the services and the worker, provided as references with defaults. */
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
