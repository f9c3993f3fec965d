/**
 * The bodies of a request to transcribe, one schema for each encoding. They describe what the
 * service checks, so that clients find mistakes early; the service applies its own rules.
 */
import { urlLengthMax } from "@verbatim/core/outbound"
import { Integer, openStruct, optional, Rule } from "@verbatim/core/schema"
import { SummaryType } from "@verbatim/core/summary"
import {
  callbackIdBytesMax,
  isSendable,
  Language,
  MediaExtension,
  Modifier,
  promptLengthMax,
  speakerMax,
  Tracks
} from "@verbatim/core/transcription"
import { Keywords, keywordLengthMax, keywordMax, keywordsLengthMax } from "@verbatim/core/workspace"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

const Address = Schema.String.check(
  Schema.isPattern(/^[Hh][Tt][Tt][Pp][Ss]?:\/\//u),
  Rule.charactersAtMost(urlLengthMax)
)

/** A regular expression cannot count bytes, so the schema accepts more than the rule. */
const CallbackId = Schema.String.check(
  Schema.makeFilter(isSendable, {
    toJsonSchema: () => {
      const inside = "[^\\u0000-\\u001f\\u007f-\\u009f]"
      const atEnds = "[^ \\u0000-\\u001f\\u007f-\\u009f]"
      return { maxLength: callbackIdBytesMax, pattern: `^(${atEnds}(${inside}*${atEnds})?)?$` }
    }
  })
)

const Prompt = Schema.String.check(
  Rule.charactersAtMost(promptLengthMax),
  Schema.makeFilter((text: string) => !text.includes("\0"), {
    toJsonSchema: () => ({ pattern: "^[^\\u0000]*$" })
  })
)

const Url = Address.annotate({
  description:
    "A public http or https URL of the file. Its extension is that of its path when it is an " +
    "accepted one, else that of `Content-Disposition`, else that of a URL it redirects to, else " +
    "that of `Content-Type`."
})

const texts = {
  language: [
    Language,
    "ISO 639-1 code of the language spoken; detected from the first seconds when left out."
  ],
  initial_prompt: [Prompt, "Names and terms to expect, in the language spoken."],
  callback_url: [
    Address,
    "A public http or https URL that the result is posted to: the webhook `transcription.ended`."
  ],
  callback_id: [
    CallbackId,
    `Your identifier, in answers and in the webhook's \`X-Callback-ID\`: at most ` +
      `${callbackIdBytesMax} bytes of UTF-8 without control characters and without spaces at its ` +
      "ends. Receivers decode `utf8-b64:`; a value of yours that begins so is sent unchanged."
  ],
  modifier: [
    Modifier,
    "The form of the webhook's body; the status of the job when left out. Not used without " +
      "`callback_url`."
  ],
  template: [
    Schema.String,
    "The name of a set of parameters that the operator has made. Parameters of the request win."
  ],
  tracks: [
    Tracks,
    "Which sound tracks of the file are transcribed: `default`, the one that the file marks as " +
      "default, else the first; `mix`, all of them mixed; `speakers`, each track as one speaker."
  ],
  summary: [
    SummaryType,
    "The kind of summary: `brief` from about 1 minute of audio, `medium` from 3, `long` from 10. " +
      "Shorter audio gets the next shorter kind, or none."
  ]
} as const

const flags = {
  vad_filter: {
    default: true,
    description: "Whether silences are removed. False is better for quiet or poor recordings."
  },
  disable_diarization: {
    default: false,
    description: "Whether the transcript is not split by speaker."
  }
} as const

const keywordsDescription =
  "Names and terms to expect, the most important first; those of the workspace follow. At most " +
  `${keywordMax}, each of ${keywordLengthMax} characters, ${keywordsLengthMax} together. The job ` +
  "says in `keywords_used` whether its engine was told them."

const SpeakerCount = Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(speakerMax))

const speakersDescription =
  "How many voices there are, where somebody knows. The job says in `speakers_used` whether its " +
  "engine was told the number."

const Word = Schema.Literals(["true", "false"])

/** Parameters in forms, which have only texts. */
const textFields = {
  language: optional(...texts.language),
  initial_prompt: optional(...texts.initial_prompt),
  keywords: optional(
    Schema.String,
    `${keywordsDescription} Separated by commas, or a list in JSON.`
  ),
  speakers: optional(
    Schema.String.check(Schema.isPattern(/^(?:[1-9]|[12][0-9]|3[0-2])?$/u)),
    speakersDescription
  ),
  tracks: optional(...texts.tracks),
  vad_filter: optional(Word.annotate({ default: "true" }), flags.vad_filter.description),
  disable_diarization: optional(
    Word.annotate({ default: "false" }),
    flags.disable_diarization.description
  ),
  callback_url: optional(...texts.callback_url),
  callback_id: optional(...texts.callback_id),
  modifier: optional(...texts.modifier),
  template: optional(...texts.template),
  summary: optional(...texts.summary)
}

const makeNullable = <S extends Schema.Top>(schema: S, description: string) =>
  optional(Schema.NullOr(schema), description)

const makeFlag = ({ default: value, description }: (typeof flags)[keyof typeof flags]) =>
  Schema.optionalKey(Schema.NullOr(Schema.Boolean).annotate({ default: value, description }))

const absence = "An empty text is the same as leaving a parameter out; unknown ones are ignored."

/** Parameters as JSON. */
export const InJson = openStruct({
  url: Url,
  language: makeNullable(...texts.language),
  initial_prompt: makeNullable(...texts.initial_prompt),
  keywords: makeNullable(Keywords, keywordsDescription),
  speakers: makeNullable(SpeakerCount, speakersDescription),
  tracks: makeNullable(...texts.tracks),
  vad_filter: makeFlag(flags.vad_filter),
  disable_diarization: makeFlag(flags.disable_diarization),
  callback_url: makeNullable(...texts.callback_url),
  callback_id: makeNullable(...texts.callback_id),
  modifier: makeNullable(...texts.modifier),
  template: makeNullable(...texts.template),
  summary: makeNullable(...texts.summary)
}).annotate({ identifier: "TranscriptionJson", description: `Parameters in JSON. ${absence}` })

/** Parameters as an HTML form without a file sends them. */
export const InForm = openStruct({ url: Url, ...textFields })
  .annotate({ identifier: "TranscriptionForm", description: `Parameters in a form. ${absence}` })
  .pipe(HttpApiSchema.asFormUrlEncoded())

const File = Schema.String.annotate({
  format: "binary",
  description:
    `The recording, with one of the extensions ${MediaExtension.literals.join(", ")}. Best sent ` +
    "after the parameters: then the first mistake is told, whatever it is about."
})

const eitherSource = Schema.makeFilter<object>(
  (body) => Object.hasOwn(body, "url") !== Object.hasOwn(body, "file"),
  { toJsonSchema: () => ({ oneOf: [{ required: ["file"] }, { required: ["url"] }] }) }
)

/** Parameters as an HTML form with a file sends them. */
export const InMultipart = openStruct({
  url: Schema.optionalKey(Url),
  ...textFields,
  file: Schema.optionalKey(File)
})
  .annotate({ description: `Parameters and a file, or a \`url\`. ${absence}` })
  .check(eitherSource)
  .annotate({ identifier: "TranscriptionMultipart" })
  .pipe(HttpApiSchema.asMultipartStream())
