/**
 * What an operator sets for servers that speak OpenAI's protocol. Transcripts and summaries may be
 * made by two servers; the key of one is never sent to the other.
 */
import { type DialectName, dialectNames, Provider } from "@verbatim/adapters/openai"
import { Config, Option, type Redacted } from "effect"
import { number, secretOf, textOf } from "./settings/Setting.ts"

/** One server, and what to ask it for. */
interface Server {
  readonly url: string
  readonly key: Option.Option<Redacted.Redacted>
}

/** Both servers; often they are one. */
export interface OpenAiConfiguration {
  readonly transcription: Server & {
    readonly model: string
    readonly dialect: DialectName
    readonly uploadBytesMax: number
  }
  readonly summary: Server & {
    readonly model: string
    readonly partBytesMax: number
    /** Whether a model was named, so that `auto` takes it. */
    readonly isChosen: boolean
  }
}

/** OpenAI's oldest model is the one that times words. */
const transcriptionModel = "whisper-1"

const summaryModel = "gpt-4o-mini"

const isServer = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return url.username === "" && url.password === "" && url.search === "" && url.hash === ""
}

const address = (name: "BASE_URL" | "SUMMARY_BASE_URL") => textOf(`OPENAI_${name}`, isServer)

const isKey = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

const key = (
  name: "API_KEY" | "SUMMARY_API_KEY"
): Config.Config<Option.Option<Redacted.Redacted>> =>
  secretOf(`OPENAI_${name}`, isKey).pipe(Config.option)

const isModel = (text: string): boolean => /^[\x21-\x7e]{1,200}$/.test(text)

const model = (name: "SUMMARY_MODEL" | "TRANSCRIPTION_MODEL") => textOf(`OPENAI_${name}`, isModel)

/** Every variable that begins with `VERBATIM_OPENAI_`. */
export const openaiConfiguration: Config.Config<OpenAiConfiguration> = Config.all({
  key: key("API_KEY"),
  url: address("BASE_URL").pipe(Config.withDefault(Provider.openaiUrl)),
  transcriptionModel: model("TRANSCRIPTION_MODEL").pipe(Config.withDefault(transcriptionModel)),
  dialect: Config.Literals(dialectNames, "VERBATIM_OPENAI_DIALECT").pipe(
    Config.withDefault("openai")
  ),
  uploadMegabytes: number("OPENAI_UPLOAD_MB"),
  summaryKey: key("SUMMARY_API_KEY"),
  summaryUrl: address("SUMMARY_BASE_URL").pipe(Config.option),
  summaryModel: model("SUMMARY_MODEL").pipe(Config.option),
  partKilobytes: number("OPENAI_SUMMARY_PART_KB")
}).pipe(
  Config.map((read) => ({
    transcription: {
      url: read.url,
      key: read.key,
      model: read.transcriptionModel,
      dialect: read.dialect,
      uploadBytesMax: read.uploadMegabytes * 1_000_000
    },
    summary: {
      url: Option.getOrElse(read.summaryUrl, () => read.url),
      key: Option.isSome(read.summaryUrl)
        ? read.summaryKey
        : Option.orElse(read.summaryKey, () => read.key),
      model: Option.getOrElse(read.summaryModel, () => summaryModel),
      isChosen: Option.isSome(read.summaryModel),
      partBytesMax: read.partKilobytes * 1024
    }
  }))
)
