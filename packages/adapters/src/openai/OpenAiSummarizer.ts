/**
 * Summaries by a language model behind `/chat/completions`. A long transcript becomes notes, part
 * by part, and these the summary. What was said is material, never an instruction.
 */

import { Failure } from "@verbatim/core/attempt"
import { Summarizer, SummarizerError, trace } from "@verbatim/core/ports"
import { Sentences } from "@verbatim/core/rendering"
import type { SummaryType } from "@verbatim/core/summary"
import { isLanguage, type Language, type Transcript } from "@verbatim/core/transcription"
import { Duration, Effect, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { toFailure } from "../engines/provider/ProviderFailure.ts"
import { textIn } from "./ChatAnswer.ts"
import { judge, type Subject } from "./Form.ts"
import { cutAfter, lines, parts } from "./Parts.ts"
import { again, describeLanguage, type Message, messages, type Task } from "./Prompts.ts"
import { type Provider, ProviderError } from "./Provider.ts"

const { EngineFailed, EngineRefused } = Failure.cases

/** What an operator chooses. */
export interface SummarizerOptions {
  readonly model: string
  /** Bytes of the transcript in one request. */
  readonly partBytesMax?: number
}

/** About 3,000 tokens: with rules and answer they fit into 4,096, the smallest local window. */
export const partBytesMax = 12 * 1024

/** The share of a part that its notes may have, so that every round leaves less than half. */
const notesShare = 1 / 4

/** Two days of speech; nobody should pay a model for a longer recording. */
const partMax = 250

/** Each round leaves less than half of the parts before it: eight bring 250 down to one. */
const roundMax = 8

/** Parts that are noted at once; servers answer more with 429. */
const concurrency = 2

/** A model on a processor reads twenty tokens a second. */
const timeout = Duration.minutes(10)

/** A summary has a few kilobytes, its surroundings some more. */
const answerBytesMax = 1024 * 1024

/** Its rules stand for those of a language that is not accepted. */
const general: Language = "en"

const failure = (reason: SummarizerError["reason"]) => new SummarizerError({ reason })

const fromProvider = (error: ProviderError) => failure(toFailure(error))

/** The summarizer over a provider. */
export const make = Effect.fnUntraced(function* (provider: Provider, options: SummarizerOptions) {
  const random = yield* SecureRandom.SecureRandom
  const byteMax = options.partBytesMax ?? partBytesMax

  /** One answer, as text. */
  const answer = Effect.fnUntraced(function* (conversation: ReadonlyArray<Message>) {
    const { model } = options
    const request = { model, messages: conversation, stream: false }
    const body = new TextEncoder().encode(JSON.stringify(request))
    const json = yield* provider.ask({
      path: "/chat/completions",
      contentType: "application/json",
      content: Stream.make(body),
      byteLength: body.byteLength,
      answerBytesMax,
      timeout
    })
    return yield* Effect.mapError(
      Effect.fromResult(textIn(json)),
      (reason) => new ProviderError({ reason })
    )
  }, Effect.mapError(fromProvider))

  const boundary = Effect.map(random.uuidV4(), (uuid) => `material-${uuid}`)

  /** Notes of every part, as lines. */
  const notes = (
    all: ReadonlyArray<string>,
    about: Pick<Task, "language" | "source" | "writtenIn">
  ): Effect.Effect<ReadonlyArray<string>, SummarizerError> =>
    Effect.forEach(
      all,
      Effect.fnUntraced(function* (material, index) {
        const part = { number: index + 1, of: all.length }
        const task: Task = {
          ...about,
          kind: "notes",
          material,
          part,
          boundary: yield* boundary
        }
        const text = yield* answer(messages(task))
        return cutAfter(text, Math.floor(byteMax * notesShare)).split("\n")
      }),
      { concurrency }
    ).pipe(Effect.map((written) => written.flat()))

  /** Material that fits into one request: the transcript, or the notes that it was reduced to. */
  const condensed = Effect.fnUntraced(function* (
    transcript: Transcript,
    about: Pick<Task, "language" | "writtenIn">
  ) {
    let material = parts(lines(transcript), byteMax)
    if (material.length === 0) {
      return yield* failure(EngineFailed.make({ detail: "the transcript has no text" }))
    }
    let source: Task["source"] = "transcript"
    for (let round = 0; material.length > 1; round++) {
      if (material.length > partMax || round === roundMax) {
        return yield* failure(EngineRefused.make({ detail: "the transcript is too long" }))
      }
      material = parts(yield* notes(material, { ...about, source }), byteMax)
      source = "notes"
    }
    return { material: material.join("\n"), source }
  })

  /** Asks twice at most; then a wrong form is repaired, if leaving something out can repair it. */
  const written = Effect.fnUntraced(function* (type: SummaryType, task: Task, subject: Subject) {
    const first = yield* answer(messages(task))
    const judged = judge(type, first, subject)
    if (judged.problem === undefined && judged.text !== undefined) return judged.text
    const problem = judged.problem ?? ""
    const second = yield* answer(again(task, { answer: first, problem }))
    const text = judge(type, second, subject).text ?? judged.text
    if (text !== undefined) return text
    return yield* failure(EngineFailed.make({ detail: `not a ${type} summary: ${problem}` }))
  })

  const summarize = trace("OpenAiSummarizer.summarize")(function* (request: {
    readonly type: SummaryType
    readonly transcript: Transcript
  }) {
    const { transcript, type } = request
    const language = isLanguage(transcript.language) ? transcript.language : general
    const about = { language, writtenIn: describeLanguage(transcript.language) }
    const { material, source } = yield* condensed(transcript, about)
    const task = { ...about, kind: type, material, source, boundary: yield* boundary }
    const sentenceCount = Sentences.sentences(transcript).length
    const text = yield* written(type, task, { language, sentenceCount })
    // The boundary that the model was given must not end up in a summary.
    if (!text.includes(task.boundary)) return text
    return yield* failure(EngineFailed.make({ detail: "the answer repeats the prompt" }))
  })

  return Summarizer.of({ summarize })
})
