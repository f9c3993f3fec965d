/**
 * Lists the three outbound operations: a check of a URL, a download and a webhook. All three refuse
 * a forbidden address with the same error message.
 */
import { GuardedWebhookSender, type GuardOptions } from "@verbatim/adapters/net"
import { WebhookSender } from "@verbatim/core/ports"
import { Duration, Effect } from "effect"
import { check, download, failure } from "./Fetching.ts"

/** Tries one operation, and returns its outcome as text. */
type Operation = (url: string, options: GuardOptions) => Effect.Effect<string>

const refusalOf = (outcome: string): string => outcome.replace(/^Unreachable /, "")

const webhook: Operation = (url, options) =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.post({ url, headers: {}, body: "{}", timeout: Duration.seconds(2) })
  ).pipe(
    Effect.match({
      onFailure: ({ detail }) => detail,
      onSuccess: ({ status }) => `passed ${status}`
    }),
    Effect.provide(GuardedWebhookSender.layer(options))
  )

const passed = <A>(effect: Effect.Effect<A, string>): Effect.Effect<string> =>
  Effect.match(effect, { onFailure: refusalOf, onSuccess: () => "passed 200" })

/** The operations, with the names that test titles give them. */
export const operations: ReadonlyArray<readonly [name: string, operation: Operation]> = [
  ["the check", (url, options) => passed(Effect.flip(failure(check(url, options))))],
  ["a download", (url, options) => passed(Effect.flip(failure(download(url, options))))],
  ["a webhook", webhook]
]
