/**
 * Summarises with a language model behind `/chat/completions`. A long transcript is condensed into
 * notes, part by part, and the notes are condensed into the summary. The transcript is treated as
 * material, never as instructions.
 */
import { Failure, printable } from "@verbatim/core/attempt"
import { Summarizer, SummarizerError, trace } from "@verbatim/core/ports"
import { clock, join, Paragraphs, Sentences, sentences } from "@verbatim/core/rendering"
import type { SummaryType } from "@verbatim/core/summary"
import { isLanguage, isSpaced, type Language, type Transcript } from "@verbatim/core/transcription"
import { Duration, Effect, Result, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { type JsonView, viewJson } from "../engines/pieces/Json.ts"
import { annotateCall } from "../engines/provider/annotateCall.ts"
import {
  type ProviderError,
  providerError,
  toFailure
} from "../engines/provider/ProviderFailure.ts"
import { describeLanguage, type Message, messages, retryMessages, type Task } from "./Prompts.ts"
import { nameOf, type Provider } from "./Provider.ts"

// Reads the text of a `/chat/completions` response, or the reason why there is no text, such as a
// refusal or a truncated or empty response. Pure.

/** Matches the reasoning that some models write before the answer. */
const reasoningBlock = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i

/** Matches a code fence around the whole answer. */
const fence = /^```\w*\n([\s\S]*?)\n?```$/

/** Cleans text for storage: line feeds stay, other control characters are removed. */
const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n]/gu, " ")
    .replace(/[^\S\n]+$/gm, "")
    .trim()

const contentOf = (message: JsonView): string => {
  const content = message.at("content")
  return content.text ?? content.entries.map((part) => part.at("text").text ?? "").join("")
}

/** Returns a response's text, or the reason why there is no text. */
export const readText = (json: unknown): Result.Result<string, ProviderError> => {
  const answer = viewJson(json)
  const choice = answer.at("choices").at(0)
  const refusal = choice.at("message").at("refusal").text
  const end = choice.at("finish_reason").text
  const problem = answer.at("error")
  if (problem.value !== undefined && problem.value !== null) {
    const message = problem.text ?? problem.at("message").text ?? "an error"
    return Result.fail(providerError("Malformed", printable(message)))
  }
  if (refusal !== undefined && refusal !== "") {
    return Result.fail(providerError("Refused", printable(`the model refused: ${refusal}`)))
  }
  if (end === "content_filter") {
    return Result.fail(providerError("Refused", "a content filter stopped the answer"))
  }
  if (end === "length") return Result.fail(providerError("Malformed", "the answer was cut off"))
  const text = cleanText(contentOf(choice.at("message")).replace(reasoningBlock, ""))
  const unfenced = (fence.exec(text)?.[1] ?? text).trim()
  return unfenced === ""
    ? Result.fail(providerError("Malformed", "the answer has no text"))
    : Result.succeed(unfenced)
}

// Formats a transcript as lines, and splits the lines into parts that fit a model's window. Pure.

/**
 * Counts bytes, which approximate tokens better than characters do: a Chinese character costs as
 * much as three Latin characters.
 */
const bytesOf = (text: string): number => Buffer.byteLength(text)

/** Returns one line per paragraph, with the timestamp, and the speaker if there are several. */
export const transcriptLines = (transcript: Transcript): ReadonlyArray<string> => {
  const paragraphs = Paragraphs.paragraphs(transcript)
  const hasSpeakers = new Set(paragraphs.map(({ speaker }) => speaker)).size > 1
  return paragraphs.map(({ sentences, speaker, startMillis }) => {
    const label = hasSpeakers ? ` ${speaker}:` : ""
    return `[${clock(startMillis)}]${label} ${join(sentences).toWellFormed()}`
  })
}

/** Joins lines, in order, into parts within the limit. A line that is longer than a part is cut. */
export const splitIntoParts = (
  all: ReadonlyArray<string>,
  byteMax: number
): ReadonlyArray<string> => {
  const done: Array<string> = []
  let open = ""
  for (const line of all.flatMap((each) => splitByBytes(each, byteMax))) {
    const longer = open === "" ? line : `${open}\n${line}`
    if (open !== "" && bytesOf(longer) > byteMax) {
      done.push(open)
      open = line
    } else open = longer
  }
  return open === "" ? done : [...done, open]
}

/**
 * Truncates text to the given number of bytes, after a whole line if possible, otherwise after a
 * whole character.
 */
export const truncateBytes = (text: string, byteMax: number): string => {
  if (bytesOf(text) <= byteMax) return text
  const [first = ""] = splitByBytes(text, byteMax)
  const end = first.lastIndexOf("\n")
  return end > 0 ? first.slice(0, end) : first
}

/**
 * Splits text into pieces of at most the given number of bytes, between words if possible,
 * otherwise between characters.
 */
const splitByBytes = (text: string, byteMax: number): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let rest = Buffer.from(text)
  while (rest.byteLength > byteMax) {
    let end = byteMax
    // The continuation bytes of a character match 10xxxxxx.
    while (end > 1 && ((rest[end] ?? 0) & 0xc0) === 0x80) end--
    const space = rest.lastIndexOf(" ", end)
    const at = space > byteMax / 2 ? space : end
    pieces.push(rest.subarray(0, at).toString().trim())
    rest = rest.subarray(at)
  }
  return [...pieces, rest.toString().trim()].filter((piece) => piece !== "")
}

const { EngineFailed, EngineRefused } = Failure.cases

/** Options for the summarizer. */
export interface SummarizerOptions {
  readonly model: string
  /** Maximum number of transcript bytes per request. */
  readonly maxPartBytes?: number
}

/**
 * Maximum size of a part in bytes: about 3,000 tokens. Together with the rules and the answer, a
 * part fits into 4,096 tokens, the smallest context window of local models.
 */
export const partBytesMax = 12 * 1024

/**
 * Maximum length of notes as a share of the summarised part, so that each round reduces the
 * material to less than half.
 */
const notesShare = 1 / 4

/**
 * Maximum number of parts: two days of speech. Summarising a longer recording would not be worth
 * the cost.
 */
const partMax = 250

/**
 * Maximum number of rounds: each at least halves the number of parts, so eight rounds reduce 250
 * parts to one.
 */
const roundMax = 8

/** Maximum number of parts condensed concurrently; with more, servers respond with 429. */
const concurrency = 2

/** Time limit for a request. A model on a CPU processes twenty tokens per second. */
const timeout = Duration.minutes(10)

/**
 * Maximum size of a response in bytes: far more than the few kilobytes of a summary and the JSON
 * around it.
 */
const maxAnswerBytes = 1024 * 1024

/** The language that provides the rules for all languages that are not accepted. */
const general: Language = "en"

const failure = (reason: SummarizerError["reason"]) => new SummarizerError({ reason })

const fromProvider = (error: ProviderError) => failure(toFailure(error))

/** A language model, with the boundaries and the size limit for requests. */
interface Model {
  /** Returns the model's answer as text. */
  readonly answer: (conversation: ReadonlyArray<Message>) => Effect.Effect<string, SummarizerError>
  /** Creates the random boundary for a new task. */
  readonly boundary: Effect.Effect<string>
  /** Maximum number of bytes of material per request. */
  readonly byteMax: number
}

/** Condenses every part into lines of notes. */
const takeNotes = (
  { answer, boundary, byteMax }: Model,
  task: Pick<Task, "language" | "source" | "writtenIn"> & { readonly parts: ReadonlyArray<string> }
): Effect.Effect<ReadonlyArray<string>, SummarizerError> => {
  const { parts, ...about } = task
  const note = Effect.fnUntraced(function* (material: string, index: number) {
    const part = { number: index + 1, of: parts.length }
    const text = yield* answer(
      messages({ ...about, kind: "notes", material, part, boundary: yield* boundary })
    )
    return truncateBytes(text, Math.floor(byteMax * notesShare)).split("\n")
  })
  return Effect.map(Effect.forEach(parts, note, { concurrency }), (written) => written.flat())
}

/**
 * Returns material that fits into one request: the transcript itself, or notes about the
 * transcript.
 */
const condense = Effect.fnUntraced(function* (
  model: Model,
  {
    transcript,
    ...about
  }: Pick<Task, "language" | "writtenIn"> & { readonly transcript: Transcript }
) {
  let material = splitIntoParts(transcriptLines(transcript), model.byteMax)
  if (material.length === 0) {
    return yield* failure(EngineFailed.make({ detail: "the transcript has no text" }))
  }
  let source: Task["source"] = "transcript"
  for (let round = 0; material.length > 1; round++) {
    if (material.length > partMax || round === roundMax) {
      return yield* failure(EngineRefused.make({ detail: "the transcript is too long" }))
    }
    material = splitIntoParts(
      yield* takeNotes(model, { ...about, source, parts: material }),
      model.byteMax
    )
    source = "notes"
  }
  return { material: material.join("\n"), source }
})

/**
 * Requests the summary at most twice. If both have the wrong form, one of them is repaired, if
 * leaving something out is enough.
 */
const writeSummary = Effect.fnUntraced(function* (
  { answer }: Model,
  { subject, task, type }: { type: SummaryType; task: Task; subject: Subject }
) {
  const first = yield* answer(messages(task))
  const checked = checkForm(type, first, subject)
  if (checked.problem === undefined && checked.text !== undefined) return checked.text
  const problem = checked.problem ?? ""
  const second = yield* answer(retryMessages(task, { answer: first, problem }))
  const text = checkForm(type, second, subject).text ?? checked.text
  if (text !== undefined) return text
  return yield* failure(EngineFailed.make({ detail: `not a ${type} summary: ${problem}` }))
})

/** Creates a summarizer that uses the given provider. */
export const make = Effect.fnUntraced(function* (provider: Provider, options: SummarizerOptions) {
  const random = yield* SecureRandom.SecureRandom
  const answer = Effect.fnUntraced(function* (conversation: ReadonlyArray<Message>) {
    const request = { model: options.model, messages: conversation, stream: false }
    const body = new TextEncoder().encode(JSON.stringify(request))
    const json = yield* provider.send({
      path: "/chat/completions",
      contentType: "application/json",
      content: Stream.make(body),
      byteLength: body.byteLength,
      maxAnswerBytes,
      timeout
    })
    return yield* Effect.fromResult(readText(json))
  }, Effect.mapError(fromProvider))
  const boundary = Effect.map(random.uuidV4(), (uuid) => `material-${uuid}`)
  const model: Model = { answer, boundary, byteMax: options.maxPartBytes ?? partBytesMax }

  const summarize = trace("OpenAiSummarizer.summarize")(function* (request: {
    readonly type: SummaryType
    readonly transcript: Transcript
  }) {
    yield* annotateCall({ operation: "chat", provider: nameOf(provider), model: options.model })
    const { transcript, type } = request
    const language = isLanguage(transcript.language) ? transcript.language : general
    const about = { language, writtenIn: describeLanguage(transcript.language) }
    const reduced = yield* condense(model, { ...about, transcript })
    const task = { ...about, ...reduced, kind: type, boundary: yield* boundary }
    const sentenceCount = Sentences.sentences(transcript).length
    const text = yield* writeSummary(model, { type, task, subject: { language, sentenceCount } })
    // The boundary is part of the prompt and must not appear in a summary.
    if (!text.includes(task.boundary)) return text
    return yield* failure(EngineFailed.make({ detail: "the answer repeats the prompt" }))
  })

  return Summarizer.of({ summarize })
})

/** The result of checking a summary's form. */
interface FormCheck {
  /** The text in the right form, or undefined if repair is impossible. */
  readonly text: string | undefined
  /** The mistake in the original text, if any. */
  readonly problem: string | undefined
}

/** The transcript's language and length. */
interface Subject {
  readonly language: Language
  /**
   * The number of sentences in the transcript. A single sentence cannot be summarised in two
   * sentences.
   */
  readonly sentenceCount: number
}

/** Minimum number of sentences (specification, summary types). */
const briefMin = 2
const briefMax = 3
const mediumMax = 3

/** Minimum number of headings: digest, executive summary, and at least one section. */
const longMin = 3

/** Sentences cannot be counted in Thai, which does not end them with punctuation. */
const uncountedLanguages: ReadonlySet<Language> = new Set<Language>(["th"])

const good = (text: string): FormCheck => ({ text, problem: undefined })

const sentencesOf = (text: string, language: Language): ReadonlyArray<string> =>
  sentences({
    durationMillis: 1,
    language,
    segments: [{ startMillis: 0, endMillis: 1, speaker: "speaker_0", text }]
  }).map((sentence) => sentence.text)

const paragraphsOf = (text: string): ReadonlyArray<string> =>
  text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "")

const brief = (text: string, { language, sentenceCount }: Subject): FormCheck => {
  const line = text.replace(/\s*\n\s*/g, isSpaced(language) ? " " : "")
  const all = sentencesOf(line, language)
  if (uncountedLanguages.has(language) || (all.length >= briefMin && all.length <= briefMax)) {
    return good(line)
  }
  if (all.length < briefMin && sentenceCount < briefMin) return good(line)
  const count = all.length === 1 ? "1 sentence" : `${all.length} sentences`
  const problem = `${count}, not ${briefMin} to ${briefMax}`
  const kept = all.slice(0, briefMax).join(isSpaced(language) ? " " : "")
  return { problem, text: all.length > briefMax ? kept : undefined }
}

const medium = (text: string): FormCheck => {
  const all = paragraphsOf(text)
  if (all.length <= mediumMax) return good(text)
  const last = all.slice(mediumMax - 1).map((paragraph) => paragraph.replace(/\n/g, " "))
  return {
    problem: `${all.length} paragraphs, not 1 to ${mediumMax}`,
    text: [...all.slice(0, mediumMax - 1), last.join(" ")].join("\n\n")
  }
}

const long = (text: string): FormCheck => {
  const parts = text.split(/^#{1,6}[^\S\n]+/m).slice(1)
  const filled = parts.filter((part) => /\n\s*\S/.test(part))
  return filled.length >= longMin
    ? good(text)
    : { problem: `${filled.length} parts under headings`, text: undefined }
}

const formChecks: Readonly<Record<SummaryType, (text: string, subject: Subject) => FormCheck>> = {
  brief,
  medium,
  long
}

/** Checks whether text has the form of a summary of the given type. */
export const checkForm = (type: SummaryType, text: string, subject: Subject): FormCheck =>
  formChecks[type](text, subject)
