/** Holds the data for the transcript screen: text, corrections, draft, player and search. */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals"
import { type components, VerbatimError } from "@verbatim/client"
import { api, apiAddress, isAway, isGone } from "../Api.ts"
import { query } from "../Router.ts"
import { makeSource } from "../ui/Loaded.tsx"
import { makeIdempotencyKeys } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import {
  type Block,
  blockOf,
  findText,
  type Segment,
  segmentAt,
  toBlocks,
  toSegments
} from "./Blocks.ts"
import { makeDraft } from "./Draft.ts"
import { makePlayer } from "./Player.ts"

export type Corrections = components["schemas"]["Corrections"]

/** The polling interval, for corrections by other users. A save reports a conflict anyway. */
const pollMillis = 30_000
const shades = 4

const readCorrections = (id: string, signal: AbortSignal): Promise<Corrections | undefined> =>
  api.transcriptions.corrections.get(id, { limit: 50, signal }).catch((cause: unknown) => {
    if (cause instanceof VerbatimError && cause.status === 409) return undefined
    throw cause
  })

/** The corrections are read first, so that the text is never older than their version. */
const readTranscript = async (id: string, signal: AbortSignal) => {
  const corrections = await readCorrections(id, signal)
  const job = await api.transcriptions.details(id, { signal })
  const { duration = "0", language = "", list = [] } = job.output ?? {}
  const segments = toSegments(list)
  const blocks = toBlocks(segments, language)
  return { job, corrections, segments, blocks, duration: Number(duration) }
}

const makeSearch = (blocks: ReadonlySignal<ReadonlyArray<Block>>) => {
  const wanted = signal("")
  const isWhole = signal(false)
  const text = computed(() => ({ wanted: wanted.value, isWhole: isWhole.value }))
  const hits = computed(() => findText(blocks.value, text.value))
  /** The match that the user chose. A new object each time, so that choosing it again scrolls. */
  const chosen = signal({ index: 0 })
  // A correction may have removed the chosen match.
  const hit = computed(() => Math.max(0, Math.min(chosen.value.index, hits.value.length - 1)))
  const choose = (index: number): void => {
    chosen.value = { index }
  }
  return { wanted, isWhole, text, hits, hit, chosen, choose }
}

type Reading = Awaited<ReturnType<typeof readTranscript>>
const makeContent = (reading: () => Reading | undefined) => {
  const segments = computed(() => reading()?.segments ?? [])
  const blocks = computed(() => reading()?.blocks ?? [])
  const speakers = computed(() => [...new Set(blocks.value.map(({ speaker }) => speaker))])
  return {
    segments,
    blocks,
    speakers,
    shadeOf: (speaker: string): number => speakers.value.indexOf(speaker) % shades
  }
}

/** Runs writes one after another, each based on the previous, never on another user's version. */
const makeWriteQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  let count = 0
  /** The version that each of this page's writes has made, by the version before it. */
  const made = new Map<number, number>()
  /** The versions created by restoring an earlier version, keyed by the earlier version. */
  const restored = new Map<number, number>()
  const follow = (versions: ReadonlyMap<number, number>, from: number): number => {
    const next = versions.get(from)
    return next === undefined ? from : follow(versions, next)
  }
  // A write that changed nothing returns the version on which it was based.
  const recordIn = (versions: Map<number, number>) => (before: number, version: number) => {
    if (version > before) versions.set(before, version)
  }
  return {
    isBusy: (): boolean => count > 0,
    /** Returns the latest version that this page's writes have created from a given version. */
    newest: (seen: number): number => follow(made, seen),
    /** Returns the latest version with the same content that this page has restored. */
    newestCopy: (version: number): number => follow(restored, version),
    record: recordIn(made),
    recordRestored: recordIn(restored),
    run: <Done>(task: () => Promise<Done>): Promise<Done> => {
      count += 1
      const ended = last.then(task).finally(() => {
        count -= 1
      })
      last = ended.catch(() => undefined)
      return ended
    }
  }
}

export const makeTranscript = (id: string) => {
  const isFollowing = signal(true)
  const player = makePlayer(apiAddress(`/v1/transcriptions/${id}/media`), () => {
    isFollowing.value = true
  })
  const source = makeSource((ended) => readTranscript(id, ended))
  const content = makeContent(() => source.state.value.value)
  const current = computed(() => segmentAt(content.segments.value, player.seconds.value))
  const currentBlock = computed(() => blockOf(content.blocks.value, current.value))
  const draft = makeDraft(id)
  const search = makeSearch(content.blocks)
  let before: ReadonlyArray<Segment> = []
  const writes = makeWriteQueue()
  const stop = effect(() => {
    const earlier = before
    before = content.segments.value
    if (earlier.length > 0 && earlier.length !== before.length) {
      draft.move((index) => segmentAt(before, earlier[index]?.start ?? 0))
    }
    const { value } = source.state.value
    if (value === undefined || player.duration.peek() > 0) return
    player.duration.value = value.duration
    // A link to a moment in the recording has the position in `t`.
    player.seek(Number(query.peek().get("t")) || 0)
  })
  /** Loads corrections by other users, except while the user is editing. */
  const look = async (): Promise<void> => {
    const { isLoading, value } = source.state.peek()
    if (value === undefined || isLoading || isAway.peek() || document.hidden) return
    const { version = 0 } = (await readCorrections(id, source.ended)) ?? {}
    const { version: before = 0 } = value.corrections ?? {}
    const isWriting = draft.open.peek() !== undefined || writes.isBusy()
    if (version <= before || isWriting || source.state.peek().isLoading) return
    if (version > writes.newest(before)) {
      notify("Someone else corrected this transcript. It is being reloaded.")
    }
    await source.reload()
  }
  const timer = setInterval(() => {
    look().catch((cause: unknown) => (isGone(cause) ? source.reload() : undefined))
  }, pollMillis)
  return {
    ...content,
    current,
    currentBlock,
    /** Whether the text scrolls along with playback. Becomes false once the reader has scrolled. */
    isFollowing,
    corrections: computed(() => source.state.value.value?.corrections),
    draft,
    openBlock: computed(() => blockOf(content.blocks.value, draft.open.value ?? -1)),
    id,
    keyFor: makeIdempotencyKeys(),
    player,
    search,
    source,
    writes,
    end: (): void => {
      clearInterval(timer)
      for (const each of [player, source]) each.end()
      stop()
    }
  }
}

export type Transcript = ReturnType<typeof makeTranscript>
