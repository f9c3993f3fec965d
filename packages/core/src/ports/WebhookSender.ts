/**
 * Port: sends one HTTP POST to a caller's receiver. Like `MediaFetcher`, this port connects only to
 * checked addresses.
 */

import { Context, type Duration, type Effect, Schema } from "effect"
import { refusal } from "../domain/schema/Refusal.ts"

/**
 * The receiver did not respond, because its name did not resolve, or the connection was blocked,
 * refused, too slow or cut off.
 */
export class WebhookSenderError extends refusal<WebhookSenderError>()("WebhookSenderError", {
  fields: { detail: Schema.String },
  sentence: ({ detail }) => `The receiver was not reached: ${detail}`
}) {}

/** A complete webhook request. */
export interface WebhookPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Maximum duration of the whole attempt, including name resolution. */
  readonly timeout: Duration.Duration
}

/** The receiver's response. */
export interface WebhookAnswer {
  readonly status: number
  /**
   * The beginning of the response body as text, at most 2,000 characters, which may explain a
   * refusal.
   */
  readonly text: string
}

export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /**
     * Sends the request once, without retries of its own, and returns the receiver's response,
     * whatever its status. Redirects are not followed, at most 64 KiB of the response are read, and
     * only headers required by HTTP are added.
     */
    readonly post: (post: WebhookPost) => Effect.Effect<WebhookAnswer, WebhookSenderError>
  }
>()("@verbatim/core/ports/WebhookSender") {}
