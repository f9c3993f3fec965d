/**
 * The request that a `callback_url` receives, as OpenAPI describes it: it cannot be derived from an
 * endpoint, because this server sends it.
 */
import { jobs, showRendering } from "./Examples.ts"

const makeHeader = (name: string, shape: object, description: string, required = true) => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string", ...shape }
})

const parameters = [
  makeHeader(
    "X-Callback-ID",
    {},
    "The `callback_id` of the request, when it had one: ASCII unchanged, anything else as " +
      "`utf8-b64:` and the base64 of its UTF-8 bytes.",
    false
  ),
  makeHeader(
    "webhook-id",
    { format: "uuid" },
    "The same on every attempt of a delivery, another one for a redelivery. Receivers drop what " +
      "they have seen."
  ),
  makeHeader(
    "webhook-timestamp",
    { pattern: "^[0-9]+$" },
    "When this attempt was made, in seconds since 1970."
  ),
  makeHeader(
    "webhook-signature",
    { pattern: "^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$" },
    "After Standard Webhooks: `v1,` and the base64 of the HMAC-SHA256 of " +
      "`<webhook-id>.<webhook-timestamp>.<body>`, one for each secret, separated by spaces. Sent " +
      "when the workspace has a secret.",
    false
  )
]

const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const makeText = (examples: object) => ({ schema: { type: "string" }, examples })

const content = {
  "application/json": {
    schema: { anyOf: ["Job", "ParagraphJson", "PlainJson", "WordJson"].map(refer) },
    examples: {
      results: { summary: "Results without a modifier", value: jobs.results },
      errorReport: { summary: "An error report, whatever the modifier", value: jobs.failed },
      paragraph_json: { value: showRendering("paragraph_json") },
      plain_json: { value: showRendering("plain_json") },
      word_json: { value: showRendering("word_json") }
    }
  },
  "text/plain; charset=utf-8": makeText({
    paragraph_text: { value: showRendering("paragraph_text") },
    plain_text: { value: showRendering("plain_text") }
  }),
  "application/x-subrip; charset=utf-8": makeText({ srt: { value: showRendering("srt") } }),
  "text/vtt; charset=utf-8": makeText({ vtt: { value: showRendering("vtt") } })
}

/** The webhooks of the API, by their names. */
export const webhooks = {
  "transcription.ended": {
    post: {
      tags: ["Transcription"],
      operationId: "transcription.ended",
      summary: "A transcription and its summary have ended, or failed",
      description:
        "One POST to the `callback_url`. The body is the status of the job, or the transcript in " +
        "the form of the `modifier`; an error report is always the status, with `error`. Up to 3 " +
        "attempts with the same body, at least 60 seconds apart, each of at most 30 seconds. " +
        "Redirects are not followed. It may arrive more than once.",
      security: [],
      parameters,
      requestBody: { required: true, content },
      responses: {
        "2XX": { description: "Taken: `webhook_status` becomes `DELIVERED`." },
        "4XX": { description: "Not taken, as any answer but 2xx: another attempt follows." }
      }
    }
  }
} as const
