/** Fetches a transcript, while the page goes on. */
import { api } from "../Api.ts"
import type { Job } from "../jobs/JobTraits.ts"
import { type Block, type Segment, toBlocks } from "./Blocks.ts"
import { makeListReader } from "./ListStream.ts"

/** A job with its transcript. */
export interface Told {
  readonly job: Job
  readonly segments: ReadonlyArray<Segment>
  readonly blocks: ReadonlyArray<Block>
  readonly language: string
  readonly duration: number
}

/** So long may the page stand still: half of a frame. */
const sliceMillis = 8

/** Texts longer than that are taken in parts. */
const partMax = 65_536

/** A segment as the API tells it. */
export type Listed = NonNullable<Job["output"]>["list"][number]

const toSegment = ({ end, speaker, start, text }: Listed): Segment => ({
  start: Number(start),
  end: Number(end),
  speaker,
  text
})

const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Fetches the job with its transcript; nothing where there is none yet. */
export const loadTranscript = async (id: string, signal: AbortSignal): Promise<Told> => {
  const { data, response } = await api.GET("/status/{id}", {
    params: { path: { id } },
    parseAs: "stream",
    signal
  })
  // One that refuses is told by the named call, in its own words.
  if (!response.ok || data === null || data === undefined) {
    const job = await api.transcriptions.get(id, { signal })
    return { job, segments: [], blocks: [], language: "", duration: 0 }
  }
  const reader = makeListReader<Listed>()
  const segments: Array<Segment> = []
  let since = performance.now()
  for await (const text of readText(data)) {
    for (let from = 0; from < text.length; from += partMax) {
      for (const batch of reader.take(text.slice(from, from + partMax))) {
        for (const item of batch) segments.push(toSegment(item))
        if (performance.now() - since < sliceMillis) continue
        await breathe()
        since = performance.now()
      }
    }
  }
  const job = reader.end() as Job
  const { duration = "0", language = "" } = job.output ?? {}
  const blocks = await layOut(segments, language)
  return { job, segments, blocks, language, duration: Number(duration) }
}

/** Segments that are put into blocks at a time: some milliseconds. A block ends with them. */
const layOutMax = 5_000

const layOut = async (
  segments: ReadonlyArray<Segment>,
  language: string
): Promise<ReadonlyArray<Block>> => {
  const blocks: Array<Block> = []
  for (let from = 0; from < segments.length; from += layOutMax) {
    if (from > 0) await breathe()
    for (const block of toBlocks(segments.slice(from, from + layOutMax), language, from)) {
      blocks.push(block)
    }
  }
  return blocks
}

/** The text of an answer, as it comes. */
export async function* readText(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield decoder.decode(value, { stream: true })
    }
    yield decoder.decode()
  } finally {
    // Who has read enough leaves the rest to the server.
    await reader.cancel().catch(() => undefined)
  }
}
