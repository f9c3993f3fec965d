/** Provides a scripted language model, and a summarizer that uses it. */
import { NodeCrypto } from "@effect/platform-node"
import { type SummarizerOptions, summarizer } from "@verbatim/adapters/openai"
import { Summarizer } from "@verbatim/core/ports"
import type { SummaryType } from "@verbatim/core/summary"
import type { Transcript } from "@verbatim/core/transcription"
import { Effect, Layer, Option } from "effect"
import { type ReceivedRequest, respondWith, serve } from "./ScriptedServer.ts"
import { quickRetries } from "./Transcribing.ts"

/** The messages that a model gets. */
export interface Conversation {
  readonly model: string
  readonly stream: boolean
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
}

/** Parses the messages that a model gets. */
export const conversationOf = ({ body }: ReceivedRequest): Conversation =>
  JSON.parse(Buffer.from(body, "latin1").toString())

/** Returns the transcript from the messages, and the boundary around it. */
export const materialOf = ({ messages }: Conversation) => {
  const found = /^<<<([\w-]+)\n([\s\S]*)\n\1>>>$/.exec(messages[1]?.content ?? "")
  if (found === null) throw new Error("no material")
  return { boundary: found[1] ?? "", material: found[2] ?? "" }
}

/** Builds a response in the model's format. */
export const completion = (content: unknown, end: string | null = "stop", refusal?: string) =>
  respondWith({
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, refusal: refusal ?? null },
        finish_reason: end
      }
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  })

/** Responds like a model that obeys its prompt, with words from the transcript. */
export const obedient = (conversation: Conversation): string => {
  const [rules] = conversation.messages
  const { material } = materialOf(conversation)
  const answer = material
    .replace(/^\[[\d:]+\] (speaker_\d+:)?/gm, "")
    .replace(/[^\p{L}\p{N} ]/gu, " ")
  const words = answer.split(/\s+/).filter((word) => word !== "")
  const excerpt = words.slice(0, 6).join(" ")
  const sentence = `They said ${excerpt}.`
  const prompt = rules?.content ?? ""
  if (prompt.includes("Write notes")) return `- ${excerpt}`
  if (prompt.includes("Markdown")) {
    const parts = ["In brief", "Executive summary", "1. Topic", "2. Another topic"]
    return parts.map((heading) => `## ${heading}\n\n${sentence}`).join("\n\n")
  }
  return `${sentence} They ended with ${words.at(-1)}.`
}

/** Starts a server that has a scripted response to each conversation. */
export const model = (
  script: (conversation: Conversation, index: number) => ReturnType<typeof respondWith> | string
) =>
  serve((received, index) => {
    const answer = script(conversationOf(received), index)
    return typeof answer === "string" ? completion(answer) : answer
  })

/** Creates a summarizer that uses the server at the URL. */
export const summarizing = (
  url: string,
  options: Partial<SummarizerOptions> = {}
): Layer.Layer<Summarizer> =>
  summarizer({ url, key: Option.none(), model: "small", retries: quickRetries, ...options }).pipe(
    Layer.provide(NodeCrypto.layerSecureRandom)
  )

/** Summarises a transcript with the server at the URL. */
export const summarize = (
  url: string,
  request: { readonly type: SummaryType; readonly transcript: Transcript },
  options: Partial<SummarizerOptions> = {}
) =>
  Effect.flatMap(Summarizer, (service) => service.summarize(request)).pipe(
    Effect.provide(summarizing(url, options))
  )
