/**
 * Tests the types of the published package with a host's code, including mistakes that must not
 * compile.
 */
import type Anthropic from "@anthropic-ai/sdk"
import {
  type components,
  createClient,
  type TranscriptionRequest,
  VerbatimError
} from "@verbatim/client"
import { presetFetch } from "@verbatim/client/presets"
import type OpenAI from "openai"

type Job = components["schemas"]["Job"]

export const client = createClient({ baseURL: "", key: async () => "key", retry: false })

const { presets, transcriptions } = client

export const preset = async (): Promise<components["schemas"]["Preset"]> => presets.get("notes")

/** Bodies that the provider SDKs type need no cast. */
export const bodies = async (
  response: OpenAI.Responses.ResponseCreateParams,
  chat: OpenAI.Chat.ChatCompletionCreateParams,
  message: Anthropic.MessageCreateParams
): Promise<ReadonlyArray<"responses" | "chat_completions" | "messages">> => {
  await presets.createFromResponses("notes", response)
  await presets.createFromChatCompletions("notes", chat)
  await presets.createFromMessages("notes", message)
  for (const body of [response, chat, message]) {
    await presets.resolve("notes", body)
    await presets.resolveNamed(body)
    await presets.preview(body)
  }
  await presets.createFromResponses("notes", {
    tools: [
      { type: "function", name: "f" },
      { type: "web_search", search_context_size: "low" }
    ],
    provider: { sort: { by: "price" } },
    of_tomorrow: true
  })
  // @ts-expect-error a number
  await presets.createFromResponses("notes", { temperature: "hot" })
  // @ts-expect-error the function has no name
  await presets.createFromMessages("notes", { messages: [], tools: [{ description: "f" }] })
  // @ts-expect-error the conversation is missing
  await presets.createFromChatCompletions("notes", { model: "m" })
  return [(await presets.version("notes", 1)).format, (await presets.erase("notes", 1)).format]
}

export const uploads = (blob: Blob, file: File): ReadonlyArray<TranscriptionRequest> => [
  { file, vad_filter: false, language: "en" },
  { file: blob, filename: "a.mp3", summary: "brief" },
  { file: blob.stream(), filename: "a.mp3" },
  { url: "https://a.example/a.mp3", disable_diarization: null },
  { file, keywords: ["Elbe", "Alster"] as const },
  // @ts-expect-error texts
  { file, keywords: [5] },
  // @ts-expect-error the blob needs a file name
  { file: blob },
  // @ts-expect-error a file and a URL exclude each other
  { file, url: "https://a.example/a.mp3" },
  // @ts-expect-error a boolean
  { file, vad_filter: "false" },
  // @ts-expect-error the language must be a code of two letters
  { file, language: "english" },
  // @ts-expect-error the API has no such parameter
  { file, diarization: true },
  // @ts-expect-error the file or URL is missing
  { language: "en" }
]

export const refusals = [
  // @ts-expect-error the API has no such path
  () => client.GET("/preset"),
  // @ts-expect-error the slug is missing
  () => client.GET("/presets/{slug}"),
  // @ts-expect-error this rendering does not exist
  () => transcriptions.result("1", "pdf"),
  // @ts-expect-error the version must be a number
  () => presets.designate("notes", "1"),
  // @ts-expect-error the API has no such status
  () => presets.list({ status: "gone" })
]

export const results = async (id: string) => {
  const text: string = await transcriptions.result(id, "vtt")
  const { list } = await transcriptions.result(id, "word_json")
  const jobs: Array<Pick<Job, "id" | "status">> = []
  for await (const job of transcriptions.list({ status: "FAILED" })) jobs.push(job)
  const { interval, peaks } = await transcriptions.peaks(id)
  const loud: ReadonlyArray<number> = peaks.filter((peak) => Math.abs(peak) > interval)
  return { text, jobs, loud, starts: list.map(({ start }) => start) }
}

export const statusOf = (error: unknown): number =>
  error instanceof VerbatimError ? error.status : 0

export const fetches = [
  presetFetch(fetch, { verbatim: client, maxAge: 0, staleIfError: undefined }),
  // @ts-expect-error presetFetch has no such option
  () => presetFetch(fetch, { verbatim: client, maxage: 0 }),
  // @ts-expect-error a number
  () => presetFetch(fetch, { verbatim: client, maxAge: "5" }),
  // @ts-expect-error the option must be a store and not a path
  () => presetFetch(fetch, { verbatim: client, file: "presets.json" }),
  // @ts-expect-error the client is missing
  () => presetFetch(fetch, {})
]
