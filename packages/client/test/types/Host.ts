/** What a host writes, and what must not compile, against the package as it is published. */
import {
  type components,
  createClient,
  type TranscriptionOrder,
  unwrap,
  VerbatimError
} from "@verbatim/client"
import { presetFetch } from "@verbatim/client/presets"

type Job = components["schemas"]["Job"]

export const client = createClient({ baseUrl: "", key: async () => "key", retry: false })

const { presets, transcriptions } = client

const read = (slug: string) => client.GET("/presets/{slug}", { params: { path: { slug } } })

export const preset = async (): Promise<components["schemas"]["Preset"]> =>
  (await unwrap(read("notes"))).data

export const uploads = (blob: Blob, file: File): ReadonlyArray<TranscriptionOrder> => [
  { file, vad_filter: false, language: "en" },
  { file: blob, filename: "a.mp3", summary: "brief" },
  { file: blob.stream(), filename: "a.mp3" },
  { url: "https://a.example/a.mp3", disable_diarization: null },
  { file, keywords: ["Elbe", "Alster"] as const },
  // @ts-expect-error texts
  { file, keywords: [5] },
  // @ts-expect-error a blob has no name
  { file: blob },
  // @ts-expect-error either a file or a URL
  { file, url: "https://a.example/a.mp3" },
  // @ts-expect-error a boolean
  { file, vad_filter: "false" },
  // @ts-expect-error a code of two letters
  { file, language: "english" },
  // @ts-expect-error there is no such parameter
  { file, diarization: true },
  // @ts-expect-error neither a file nor a URL
  { language: "en" }
]

export const refusals = [
  // @ts-expect-error there is no such path
  () => client.GET("/preset"),
  // @ts-expect-error a slug is missing
  () => client.GET("/presets/{slug}"),
  // @ts-expect-error there is no such form
  () => transcriptions.result("1", "pdf"),
  // @ts-expect-error a version is a number
  () => presets.designate("notes", "1"),
  // @ts-expect-error there is no such status
  () => presets.list({ status: "gone" })
]

export const results = async (id: string) => {
  const text: string = await transcriptions.result(id, "vtt")
  const { list } = await transcriptions.result(id, "word_json")
  const jobs: Array<Pick<Job, "id" | "status">> = []
  for await (const job of transcriptions.all({ status: "FAILED" })) jobs.push(job)
  const { interval, peaks } = await transcriptions.peaks(id)
  const loud: ReadonlyArray<number> = peaks.filter((peak) => Math.abs(peak) > interval)
  return { text, jobs, loud, starts: list.map(({ start }) => start) }
}

export const statusOf = (error: unknown): number =>
  error instanceof VerbatimError ? error.status : 0

export const fetches = [
  presetFetch(fetch, { verbatim: client, maxAge: 0, staleIfError: undefined }),
  // @ts-expect-error there is no such option
  () => presetFetch(fetch, { verbatim: client, maxage: 0 }),
  // @ts-expect-error a number
  () => presetFetch(fetch, { verbatim: client, maxAge: "5" }),
  // @ts-expect-error a store, not its path
  () => presetFetch(fetch, { verbatim: client, file: "presets.json" }),
  // @ts-expect-error whom to ask is missing
  () => presetFetch(fetch, {})
]
