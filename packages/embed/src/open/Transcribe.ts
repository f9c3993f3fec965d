/** What a host asks for, and the request that it makes. */

import { judgeUrl, OutboundPolicy } from "@verbatim/core/outbound"
import type { Modifier, Tracks } from "@verbatim/core/transcription"
import { Effect, Result, Stream } from "effect"
import { InvalidInput } from "../Errors.ts"
import type { SummaryType } from "../view/Job.ts"
import { type Media, toPart } from "./Content.ts"
import type { Asker } from "./Workspaces.ts"

/** Something to transcribe. */
export interface Transcribe extends Asker {
  readonly media: Media
  /** With its extension. Default: that of the path, or of the `File`. */
  readonly filename?: string
  /** ISO 639-1, such as `en`. Left out: it is detected. */
  readonly language?: string
  readonly summary?: SummaryType
  /** A hint about words and spelling. */
  readonly initialPrompt?: string
  /** Names and terms to expect, the most important first. */
  readonly keywords?: ReadonlyArray<string>
  /** Whether silence is left out before recognition. Default: true. */
  readonly vadFilter?: boolean
  /** Whether speakers are told apart. Default: true. */
  readonly diarization?: boolean
  /** How many voices there are, where somebody knows. */
  readonly speakers?: number
  /** Which sound tracks are heard: the default one, all mixed, or each as one speaker. */
  readonly tracks?: Tracks
  /** Where the webhook goes, and in which form. Default: none. */
  readonly webhook?: { readonly url: string; readonly modifier?: Modifier }
  /** The host's own word about it. */
  readonly callbackId?: string
  /** The same key with the same request, within a day, is the same job. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/** The parameters of a request by their names in core. */
const parametersOf = (wanted: Transcribe): ReadonlyArray<readonly [string, unknown]> => [
  ["language", wanted.language],
  ["summary", wanted.summary],
  ["initial_prompt", wanted.initialPrompt],
  ["keywords", wanted.keywords],
  ["speakers", wanted.speakers],
  ["tracks", wanted.tracks],
  ["vad_filter", wanted.vadFilter],
  ["disable_diarization", wanted.diarization === undefined ? undefined : !wanted.diarization],
  ["callback_url", wanted.webhook?.url],
  ["modifier", wanted.webhook?.modifier],
  ["callback_id", wanted.callbackId]
]

const isPrivate: ReadonlySet<string> = new Set(["ForbiddenName", "ForbiddenAddress"])

/** Says why a webhook is refused, to the host alone: callers over HTTP get one answer for all. */
export const judgeWebhook = Effect.fnUntraced(function* ({ webhook }: Transcribe) {
  if (webhook === undefined) return
  const { allowNetworks } = yield* OutboundPolicy
  const judged = judgeUrl({ url: webhook.url, allowNetworks })
  if (Result.isSuccess(judged) || !isPrivate.has(judged.failure)) return
  const message =
    "webhook.url leads into a private network, which webhooks reach only where the option " +
    "`allowNetworks` of `open` names it, such as 127.0.0.0/8 for this machine"
  return yield* Effect.fail(new InvalidInput({ code: "UrlUnreachable", message }))
})

/** The request as core reads it. */
export const arrivalOf = (wanted: Transcribe) => {
  const given = parametersOf(wanted).flatMap(([name, value]) =>
    value === undefined ? [] : [{ _tag: "Parameter" as const, name, value }]
  )
  const parts = [...given, toPart(wanted.media, wanted.filename)]
  const { idempotencyKey } = wanted
  return { isTextual: false, parts: Stream.fromIterable(parts), idempotencyKey }
}
