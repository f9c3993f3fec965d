/** A transcript as its screen has it: what was said, what is corrected, and what is looked for. */
import { batch, computed, effect, signal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { api, isAway, unwrap } from "../Api.ts"
import { isOver } from "../jobs/JobTraits.ts"
import { makeSource } from "../ui/Loaded.ts"
import { notify } from "../ui/Toasts.tsx"
import { type Block, blockOf, findText, type Segment, segmentAt, toBlocks } from "./Blocks.ts"
import { makeDraft } from "./Draft.ts"
import { loadTranscript } from "./Load.ts"
import { makePlayer } from "./Player.ts"

/** Where the corrections stand, and the versions that led there. */
export type Corrections = components["schemas"]["Corrections"]

/** How soon the corrections of others are seen. */
const pollMillis = 5_000

const readCorrections =
  (id: string) =>
  async (signal: AbortSignal): Promise<Corrections> => {
    const params = { path: { id }, query: { limit: 50 } }
    return unwrap(api.GET("/transcriptions/{id}/corrections", { params, signal }))
  }

/** Makes the model of a job's transcript. */
export const makeTranscript = (id: string) => {
  const player = makePlayer()
  const corrections = makeSource(readCorrections(id), { everyMillis: pollMillis })
  /** Waits until the version is known for the first time, or cannot be. */
  const untilNumbered = (): Promise<void> =>
    new Promise((resolve) => {
      const { isLoading, value } = corrections.state.value
      if (!isLoading || value !== undefined) return resolve()
      const stop = corrections.state.subscribe((now) => {
        if (now.isLoading) return
        resolve()
        queueMicrotask(() => stop())
      })
    })
  const told = makeSource(async (ended) => {
    // A text that is no older than its version: whoever writes over it has seen it.
    await untilNumbered()
    return loadTranscript(id, ended)
  })
  const segments = signal<ReadonlyArray<Segment>>([])
  const language = signal("")
  const blocks = signal<ReadonlyArray<Block>>([])
  const current = computed(() => segmentAt(segments.value, player.seconds.value))
  const currentBlock = computed(() => blockOf(blocks.value, current.value))
  /** The version whose text is shown. */
  const shown = signal<number | undefined>(undefined)
  const draft = makeDraft(id)
  const wanted = signal("")
  const hits = computed(() => findText(blocks.value, wanted.value))
  const hit = signal(0)

  const stops = [
    effect(() => {
      const { value } = told.state.value
      if (value === undefined) return
      batch(() => {
        segments.value = value.segments
        blocks.value = value.blocks
        language.value = value.language
      })
      if (player.duration.peek() === 0) player.duration.value = value.duration
    }),
    // A correction may have taken away the place that was looked at.
    effect(() => {
      const last = Math.max(0, hits.value.length - 1)
      if (hit.peek() > last) hit.value = last
    }),
    // What others corrected is shown, unless somebody is writing: a conflict tells it then.
    effect(() => {
      const now = corrections.state.value.value?.version
      // Numbers only grow: a smaller one is an answer from before a write of ours.
      if (now === undefined || now <= (shown.peek() ?? -1)) return
      const isFirst = shown.peek() === undefined
      if (!isFirst && draft.open.value !== undefined) return
      shown.value = now
      if (isFirst) return
      notify("Somebody corrected this transcript: it is read again.")
      void told.reload()
    })
  ]
  // It is there when its job is done.
  const timer = setInterval(() => {
    const { isLoading, value } = told.state.peek()
    const isWaiting = value !== undefined && value.segments.length === 0 && !isOver(value.job)
    if (isWaiting && !isLoading && !isAway.peek() && !document.hidden) void told.reload()
  }, pollMillis)
  /** Shows segments as they are corrected; only their blocks are made again. */
  const replace = (changed: ReadonlyMap<number, Segment>): void => {
    const next = segments.value.map((segment, index) => changed.get(index) ?? segment)
    const places = new Set([...changed.keys()].map((index) => blockOf(blocks.value, index)))
    batch(() => {
      segments.value = next
      blocks.value = blocks.value.flatMap((block, place) => {
        const { end, first } = block
        return places.has(place) ? toBlocks(next.slice(first, end), language.value, first) : [block]
      })
    })
  }
  /** Shows a speaker under another name. */
  const rename = (from: string, to: string): void => {
    const named = <Named extends { readonly speaker: string }>(item: Named): Named =>
      item.speaker === from ? { ...item, speaker: to } : item
    batch(() => {
      segments.value = segments.value.map(named)
      blocks.value = blocks.value.map(named)
    })
  }
  return {
    id,
    replace,
    rename,
    player,
    told,
    corrections,
    segments,
    blocks,
    current,
    currentBlock,
    shown,
    draft,
    search: { wanted, hits, hit },
    end: (): void => {
      clearInterval(timer)
      player.end()
      told.end()
      corrections.end()
      for (const stop of stops) stop()
    }
  }
}

/** The model of a transcript. */
export type Transcript = ReturnType<typeof makeTranscript>
