/**
 * Port: sends one HTTP POST to a receiver that a caller named. Guarded like `MediaFetcher`.
 */

import { Context, type Duration, type Effect, Schema } from "effect"
import { refusal } from "../domain/schema/Refusal.ts"

/** The receiver did not answer: unresolved, blocked, refused, too slow, or cut off. */
export class WebhookSenderError extends refusal<WebhookSenderError>()("WebhookSenderError", {
  fields: { detail: Schema.String },
  sentence: ({ detail }) => `The receiver was not reached: ${detail}`
}) {}

/** One request, ready to go. */
export interface WebhookPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The whole attempt, name resolution included, ends within this. */
  readonly timeout: Duration.Duration
}

/** What a receiver answered. */
export interface WebhookAnswer {
  readonly status: number
  /** The beginning of its body as text, 2,000 characters at most: it may say why it refuses. */
  readonly text: string
}

export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /**
     * Sends the request once, never again by itself, and gives what the receiver answers, whatever
     * it is. Redirects are not followed, at most 64 KiB of the answer are read, and no header is
     * added beyond what HTTP needs.
     */
    readonly post: (post: WebhookPost) => Effect.Effect<WebhookAnswer, WebhookSenderError>
  }
>()("@verbatim/core/ports/WebhookSender") {}
