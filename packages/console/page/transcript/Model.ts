/** A transcript as its screen has it: what was said, what is corrected, and what is looked for. */
import { computed, effect, signal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { api } from "../Api.ts"
import { makeSource } from "../ui/Loaded.ts"
import { notify } from "../ui/Toasts.tsx"
import { blockOf, findText, type Segment, segmentAt, toBlocks } from "./Blocks.ts"
import { loadTranscript } from "./Load.ts"
import { makePlayer } from "./Player.ts"

/** Where the corrections stand, and the versions that led there. */
export type Corrections = components["schemas"]["Corrections"]

/** How soon the corrections of others are seen. */
const pollMillis = 5_000

const readCorrections =
  (id: string) =>
  async (signal: AbortSignal): Promise<Corrections> => {
    const query = { limit: 50 }
    const { data, error } = await api.GET("/transcriptions/{id}/corrections", {
      params: { path: { id }, query },
      signal
    })
    if (data !== undefined) return data
    const detail: unknown = Object(error).detail
    throw new Error(typeof detail === "string" ? detail : "The corrections cannot be read.")
  }

/** Makes the model of a job's transcript. */
export const makeTranscript = (id: string) => {
  const player = makePlayer()
  const told = makeSource((ended) => loadTranscript(id, ended))
  const corrections = makeSource(readCorrections(id), { everyMillis: pollMillis })
  const segments = signal<ReadonlyArray<Segment>>([])
  const language = signal("")
  const blocks = computed(() => toBlocks(segments.value, language.value))
  const current = computed(() => segmentAt(segments.value, player.seconds.value))
  const currentBlock = computed(() => blockOf(blocks.value, current.value))
  /** The version whose text is shown. */
  const shown = signal<number | undefined>(undefined)
  const editing = signal<number | undefined>(undefined)
  const wanted = signal("")
  const hits = computed(() => findText(blocks.value, wanted.value))
  const hit = signal(0)

  const stops = [
    effect(() => {
      const { value } = told.state.value
      if (value === undefined) return
      segments.value = value.segments
      language.value = value.language
      if (player.duration.peek() === 0) player.duration.value = value.duration
    }),
    // What others corrected is shown, unless somebody is writing: a conflict tells it then.
    effect(() => {
      const now = corrections.state.value.value?.version
      if (now === undefined || now === shown.peek()) return
      const isFirst = shown.peek() === undefined
      if (!isFirst && editing.value !== undefined) return
      shown.value = now
      if (isFirst) return
      notify("Somebody corrected this transcript: it is read again.")
      void told.reload()
    })
  ]
  return {
    id,
    player,
    told,
    corrections,
    segments,
    blocks,
    current,
    currentBlock,
    shown,
    editing,
    search: { wanted, hits, hit },
    end: (): void => {
      player.end()
      told.end()
      corrections.end()
      for (const stop of stops) stop()
    }
  }
}

/** The model of a transcript. */
export type Transcript = ReturnType<typeof makeTranscript>
