/**
 * Fields of a job for management keys alone: why it failed in the words of engines and receivers,
 * where its recording comes from, and where its webhook goes.
 */
import { Schema } from "effect"
import { causeOf } from "../attempt/FailureCause.ts"
import { optional } from "../schema/Shape.ts"
import type { KeyKind } from "../workspace/ApiKey.ts"
import type { Job } from "./Job.ts"

const forManagers = "Only for management keys."

const cause = (whose: string) =>
  optional(
    Schema.String,
    `What ${whose} said when it failed, in its own words, without secrets. ${forManagers}`
  )

const link = (what: string) =>
  optional(Schema.String, `${what}, without user, password and query. ${forManagers}`)

/** The fields of where a recording comes from, and where its webhook goes. */
export const linkFields = {
  media_url: link("The link of the recording"),
  receiver: link("The address of the webhook")
}

/** The fields of a job. */
export const causeFields = {
  cause: cause("the engine, or the server of the recording,"),
  summary_cause: cause("the model of the summary"),
  webhook_cause: cause("the way to the receiver of the webhook"),
  ...linkFields
}

type Links = { readonly [name in keyof typeof linkFields]?: string }
type Causes = { readonly [name in keyof typeof causeFields]?: string }

/** A URL without its user, password and query; undefined if it is not a URL. */
const withoutSecretParts = (address: string): string | undefined => {
  const url = URL.parse(address)
  return url === null ? undefined : `${url.origin}${url.pathname}`
}

const present = <A extends Readonly<Record<string, string | undefined>>>(fields: A) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Where the recording of a job comes from, and where its webhook goes. */
export const linksOf = ({ request }: Job, audience: KeyKind): Links =>
  audience === "management"
    ? present({
        media_url:
          request.source._tag === "Upload" ? undefined : withoutSecretParts(request.source.url),
        receiver: request.callback === null ? undefined : withoutSecretParts(request.callback.url)
      })
    : {}

const failedCause = (state: Job["transcription"] | Job["summary"] | Job["delivery"]) =>
  state?._tag === "Failed" ? causeOf(state.failure) : undefined

/** The causes and links that a reader may see. */
export const causesOf = (job: Job, audience: KeyKind): Causes =>
  audience === "management"
    ? {
        ...present({
          cause: failedCause(job.transcription),
          summary_cause: failedCause(job.summary),
          webhook_cause: failedCause(job.delivery)
        }),
        ...linksOf(job, audience)
      }
    : {}
