/** What a host may set of the services and the worker: references, each with its default. */
import { MediaRetention, type Retention } from "@verbatim/core/job"
import { type Networks, OutboundPolicy } from "@verbatim/core/outbound"
import { MediaLimits, type Parameters, Templates } from "@verbatim/core/transcription"
import { LaneMax } from "@verbatim/core/worker"
import {
  DefaultRetention,
  DefaultSecrets,
  type RetentionRule,
  type SecretText
} from "@verbatim/core/workspace"
import { Layer } from "effect"

/** Settings, each of which may be left out. */
export interface Settings {
  readonly fileMegabytesMax?: number
  /** Downloads from one origin, or webhooks to one, at the same time. */
  readonly originConcurrency?: number
  /** How long media outlives what it was stored for. */
  readonly mediaRetention?: Retention
  /** Of workspaces that have no rule of their own. */
  readonly retention?: RetentionRule
  /** Sign the webhooks of workspaces that have no secret of their own. */
  readonly webhookSecrets?: ReadonlyArray<SecretText>
  /** Private networks that webhooks and downloads may reach. */
  readonly allowNetworks?: Networks
  /** Named sets of parameters that a request can ask for. */
  readonly templates?: ReadonlyMap<string, Parameters>
}

const given = <A, B>(value: A | undefined, layer: (value: A) => Layer.Layer<B>) =>
  value === undefined ? Layer.empty : layer(value)

/**
 * The references of core with these values. Provide them below services and worker alike, so that
 * no setting reaches one part of a process and misses another.
 */
export const settings = ({
  allowNetworks,
  fileMegabytesMax,
  mediaRetention,
  originConcurrency,
  retention,
  templates,
  webhookSecrets
}: Settings): Layer.Layer<never> =>
  Layer.mergeAll(
    given(fileMegabytesMax, (max) => Layer.succeed(MediaLimits, { fileMegabytesMax: max })),
    given(originConcurrency, (max) => Layer.succeed(LaneMax, max)),
    given(mediaRetention, (rule) => Layer.succeed(MediaRetention, rule)),
    given(retention, (rule) => Layer.succeed(DefaultRetention, rule)),
    given(webhookSecrets, (secrets) => Layer.succeed(DefaultSecrets, secrets)),
    given(allowNetworks, (networks) => Layer.succeed(OutboundPolicy, { allowNetworks: networks })),
    given(templates, (sets) => Layer.succeed(Templates, sets))
  )
