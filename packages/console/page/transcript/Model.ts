/** A transcript as its screen has it: what was said, what is corrected, and what is looked for. */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals"
import { type components, VerbatimError } from "@verbatim/client"
import { api, isAway, isGone } from "../Api.ts"
import { isOver, type Job } from "../jobs/JobTraits.ts"
import { makeSource } from "../ui/Loaded.ts"
import { makeRepeatKeys } from "../ui/SteadyHand.ts"
import { notify } from "../ui/Toasts.tsx"
import { type Block, blockOf, findText, type Segment, segmentAt, toBlocks } from "./Blocks.ts"
import { makeDraft } from "./Draft.ts"
import { makePlayer } from "./Player.ts"

/** Where the corrections stand, and the versions that led there. */
export type Corrections = components["schemas"]["Corrections"]

/** A job with its transcript, and the corrections that it shows. */
interface Reading {
  readonly job: Job
  readonly corrections: Corrections | undefined
  readonly segments: ReadonlyArray<Segment>
  readonly blocks: ReadonlyArray<Block>
  readonly duration: number
}

/** How soon the corrections of others are seen. */
const pollMillis = 5_000

/** So many colours of speakers there are; then they repeat. */
const shades = 4

/** Reads where the corrections stand; nothing where there is no transcript to correct. */
const readCorrections = (id: string, signal: AbortSignal): Promise<Corrections | undefined> =>
  api.transcriptions.corrections.get(id, { limit: 50, signal }).catch((cause: unknown) => {
    if (cause instanceof VerbatimError && cause.status === 409) return undefined
    throw cause
  })

/** Reads the corrections first: a text is never older than the version that is written over. */
const readTranscript = async (id: string, signal: AbortSignal): Promise<Reading> => {
  const corrections = await readCorrections(id, signal)
  const job = await api.transcriptions.get(id, { signal })
  const { duration = "0", language = "", list = [] } = job.output ?? {}
  const segments = list.map(({ end, speaker, start, text }) => ({
    start: Number(start),
    end: Number(end),
    speaker,
    text
  }))
  const blocks = toBlocks(segments, language)
  return { job, corrections, segments, blocks, duration: Number(duration) }
}

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

/** What was said, and by whom, as it was read. */
const makeSpoken = (reading: () => Reading | undefined) => {
  const segments = computed(() => reading()?.segments ?? [])
  const blocks = computed(() => reading()?.blocks ?? [])
  /** In order of appearance. */
  const speakers = computed(() => [...new Set(blocks.value.map(({ speaker }) => speaker))])
  return {
    segments,
    blocks,
    speakers,
    /** The colour of a speaker. */
    shadeOf: (speaker: string): number => speakers.value.indexOf(speaker) % shades
  }
}

/**
 * Lets the writes of one page take turns, however slow the line is. Each one names the version that
 * the write before it made, never one that somebody else has made.
 */
const makeTurns = () => {
  let last: Promise<unknown> = Promise.resolve()
  let count = 0
  /** The version that one of our own writes made, by the version that it was made on. */
  const made = new Map<number, number>()
  /** The newest version that our own writes have made of one that was seen. */
  const newest = (seen: number): number => {
    const next = made.get(seen)
    return next === undefined ? seen : newest(next)
  }
  return {
    areTaken: (): boolean => count > 0,
    newest,
    /** Runs a task when those before it have ended. */
    take: <Done>(task: () => Promise<Done>): Promise<Done> => {
      count += 1
      const turn = last.then(task).finally(() => {
        count -= 1
      })
      last = turn.catch(() => undefined)
      return turn
    },
    /** Notes which version one of our writes has made. */
    note: (before: number, version: number): void => {
      // A write that changed nothing is answered with the version that was there.
      if (version > before) made.set(before, version)
    }
  }
}

/** Makes the model of a job's transcript. */
export const makeTranscript = (id: string) => {
  const player = makePlayer()
  const source = makeSource((ended) => readTranscript(id, ended))
  const spoken = makeSpoken(() => source.state.value.value)
  const current = computed(() => segmentAt(spoken.segments.value, player.seconds.value))
  const currentBlock = computed(() => blockOf(spoken.blocks.value, current.value))
  const draft = makeDraft(id)
  const search = makeSearch(spoken.blocks)
  const turns = makeTurns()
  const controller = new AbortController()
  const stop = effect(() => {
    const { value } = source.state.value
    if (value !== undefined && player.duration.peek() === 0) player.duration.value = value.duration
  })
  /** Shows what others corrected, unless somebody is writing: a conflict tells it then. */
  const look = async (): Promise<void> => {
    const { isLoading, value } = source.state.peek()
    if (value === undefined || isLoading || isAway.peek() || document.hidden) return
    // It is there when its job is done.
    if (value.segments.length === 0 && !isOver(value.job)) return source.reload()
    const { version = 0 } = (await readCorrections(id, controller.signal)) ?? {}
    const { version: before = 0 } = value.corrections ?? {}
    const isWriting = draft.open.peek() !== undefined || turns.areTaken()
    if (version <= before || isWriting || source.state.peek().isLoading) return
    if (version > turns.newest(before)) {
      notify("Somebody corrected this transcript: it is read again.")
    }
    await source.reload()
  }
  const timer = setInterval(() => {
    look().catch((cause: unknown) => (isGone(cause) ? source.reload() : undefined))
  }, pollMillis)
  return {
    ...spoken,
    current,
    currentBlock,
    corrections: computed(() => source.state.value.value?.corrections),
    draft,
    id,
    keyFor: makeRepeatKeys(),
    player,
    search,
    source,
    turns,
    end: (): void => {
      clearInterval(timer)
      controller.abort()
      for (const each of [player, source, search]) each.end()
      stop()
    }
  }
}

/** The model of a transcript. */
export type Transcript = ReturnType<typeof makeTranscript>
