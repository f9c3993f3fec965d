/** A transcript as its screen has it: what was said, what is corrected, and what is looked for. */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { api, isAway } from "../Api.ts"
import { isOver } from "../jobs/JobTraits.ts"
import { makeSource, type Source } from "../ui/Loaded.ts"
import { makeRepeatKeys } from "../ui/SteadyHand.ts"
import { notify } from "../ui/Toasts.tsx"
import { type Block, blockOf, findText, segmentAt } from "./Blocks.ts"
import { makeDraft } from "./Draft.ts"
import { loadTranscript } from "./Load.ts"
import { makePlayer } from "./Player.ts"
import { makeSpoken } from "./Spoken.ts"
import { makeTurns } from "./Turns.ts"

/** Where the corrections stand, and the versions that led there. */
export type Corrections = components["schemas"]["Corrections"]

/** How soon the corrections of others are seen. */
const pollMillis = 5_000

const readCorrections = (id: string) => (signal: AbortSignal) =>
  api.transcriptions.corrections.get(id, { limit: 50, signal })

/** Waits until something is known for the first time, or cannot be. */
const untilKnown = <Value>({ state }: Source<Value>): Promise<void> =>
  new Promise((resolve) => {
    const { isLoading, value } = state.value
    if (!isLoading || value !== undefined) return resolve()
    const stop = state.subscribe((now) => {
      if (now.isLoading) return
      resolve()
      queueMicrotask(() => stop())
    })
  })

/** Looks for a text in blocks. */
const makeSearch = (blocks: ReadonlySignal<ReadonlyArray<Block>>) => {
  const wanted = signal("")
  const hits = computed(() => findText(blocks.value, wanted.value))
  const hit = signal(0)
  // A correction may have taken away the place that was looked at.
  const end = effect(() => {
    const last = Math.max(0, hits.value.length - 1)
    if (hit.peek() > last) hit.value = last
  })
  return { wanted, hits, hit, end }
}

/** Makes the model of a job's transcript. */
export const makeTranscript = (id: string) => {
  const player = makePlayer()
  const corrections = makeSource(readCorrections(id), { everyMillis: pollMillis })
  const told = makeSource(async (ended) => {
    // A text that is no older than its version: whoever writes over it has seen it.
    await untilKnown(corrections)
    return loadTranscript(id, ended)
  })
  const { blocks, put, rename, replace, segments } = makeSpoken()
  const current = computed(() => segmentAt(segments.value, player.seconds.value))
  const currentBlock = computed(() => blockOf(blocks.value, current.value))
  /** The version whose text is shown. */
  const shown = signal<number | undefined>(undefined)
  const draft = makeDraft(id)
  const search = makeSearch(blocks)
  const turns = makeTurns()
  const keyFor = makeRepeatKeys()
  const stops = [
    effect(() => {
      const { value } = told.state.value
      if (value === undefined) return
      put(value)
      if (player.duration.peek() === 0) player.duration.value = value.duration
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
  const end = (): void => {
    clearInterval(timer)
    for (const each of [player, told, corrections, search]) each.end()
    for (const stop of stops) stop()
  }
  const spoken = { blocks, current, currentBlock, rename, replace, segments }
  return { ...spoken, corrections, draft, end, id, keyFor, player, search, shown, told, turns }
}

/** The model of a transcript. */
export type Transcript = ReturnType<typeof makeTranscript>
