/**
 * Sends guarded outbound requests: media downloads, webhooks, and uploads to an operator's origin.
 * No other code opens connections.
 */
import type { MediaFetcher, WebhookSender } from "@verbatim/core/ports"
import { Layer } from "effect"
import * as Guard from "./Guard.ts"
import * as GuardedDownload from "./GuardedDownload.ts"
import * as GuardedMediaFetcher from "./GuardedMediaFetcher.ts"
import * as GuardedUpload from "./GuardedUpload.ts"
import * as GuardedWebhookSender from "./GuardedWebhookSender.ts"
import { OutboundError, unreachable } from "./OutboundError.ts"

export type { GuardOptions, Limits } from "./Guard.ts"
export {
  Guard,
  GuardedDownload,
  GuardedMediaFetcher,
  GuardedUpload,
  GuardedWebhookSender,
  OutboundError,
  unreachable
}

/** Provides the media fetcher and the webhook sender, behind one guard. */
export const layer = (options: Guard.GuardOptions): Layer.Layer<MediaFetcher | WebhookSender> =>
  Layer.mergeAll(GuardedMediaFetcher.layer(options), GuardedWebhookSender.layer(options))
