/**
 * Describes the webhook that a `callback_url` receives. No endpoint contains this description,
 * because the server sends this request instead of receiving it.
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
    "The `callback_id` of the request, if any: ASCII unchanged, anything else as `utf8-b64:` and " +
      "the base64 of its UTF-8 bytes.",
    false
  ),
  makeHeader(
    "webhook-id",
    { format: "uuid" },
    "The same for all attempts of a delivery, different for a redelivery. Receivers use it to " +
      "drop duplicates."
  ),
  makeHeader(
    "webhook-timestamp",
    { pattern: "^[0-9]+$" },
    "Time of this attempt, in seconds since 1970."
  ),
  makeHeader(
    "webhook-signature",
    { pattern: "^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$" },
    "As in Standard Webhooks: `v1,` and the base64 of the HMAC-SHA256 of " +
      "`<webhook-id>.<webhook-timestamp>.<body>`, one for each secret, separated by spaces. Sent " +
      "if the workspace has a secret.",
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
      errorReport: { summary: "An error report, with any modifier", value: jobs.failed },
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

export const webhooks = {
  "transcription.ended": {
    post: {
      tags: ["Transcription"],
      operationId: "transcription.ended",
      summary: "A transcription and its summary have ended or failed",
      description:
        "One POST to the `callback_url`. The body is the status of the job, or the transcript in " +
        "the format given by `modifier`; an error report is always the status, with `error`. Up " +
        "to 3 attempts with the same body, at least 60 seconds apart, each of at most 30 " +
        "seconds. Redirects are not followed. The request can arrive more than once.",
      security: [],
      parameters,
      requestBody: { required: true, content },
      responses: {
        "2XX": { description: "Accepted: `webhook_status` becomes `DELIVERED`." },
        "4XX": {
          description: "Not accepted: any answer other than 2xx causes another attempt."
        }
      }
    }
  }
} as const
