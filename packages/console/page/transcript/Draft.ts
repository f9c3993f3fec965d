/**
 * What is written into a transcript and not saved yet, by its segments: whatever becomes of the
 * editor, of the blocks around it, or of the session.
 */
import { computed, signal } from "@preact/signals"
import { keepDraft } from "../session/Drafts.ts"
import type { Block } from "./Blocks.ts"

/** What is written of a segment, and what it said when that was begun. */
export interface Written {
  readonly before: string
  readonly text: string
}

/** All of it. */
interface Draft {
  /** A segment of the block whose editor is open. */
  readonly open: number | undefined
  readonly texts: ReadonlyMap<number, Written>
  /** Who shall speak, by the first segment of a block. */
  readonly speakers: ReadonlyMap<number, string>
  /** Why it could not be saved. */
  readonly refusal: string
}

const nothing: Draft = { open: undefined, texts: new Map(), speakers: new Map(), refusal: "" }

type Stretch = Pick<Block, "end" | "first">

const isWithin = ({ end, first }: Stretch, index: number): boolean => index >= first && index < end

const without = <Value>(all: ReadonlyMap<number, Value>, block: Stretch) =>
  new Map([...all].filter(([index]) => !isWithin(block, index)))

const within = <Value>(all: ReadonlyMap<number, Value>, block: Stretch) =>
  [...all].filter(([index]) => isWithin(block, index))

/** The blocks that are being sent, by their first segments. */
const makeSent = () => {
  const sent = signal<ReadonlySet<number>>(new Set())
  return {
    /** Whether a block is being sent. Its fields are locked meanwhile: they go when it is saved. */
    isSent: (block: Stretch): boolean => [...sent.value].some((index) => isWithin(block, index)),
    /** Notes that a block is being sent, until the function that is returned is called. */
    send: ({ first }: Stretch): (() => void) => {
      sent.value = new Set([...sent.value, first])
      return () => {
        sent.value = new Set([...sent.value].filter((each) => each !== first))
      }
    }
  }
}

/** Makes the draft of a job's transcript: as it was left, where somebody comes back. */
export const makeDraft = (id: string) => {
  const kept = keepDraft<Draft>(`transcript ${id}`)
  const state = signal(kept.read() ?? nothing)
  const put = (draft: Draft): void => {
    state.value = draft
    const isWritten = draft.texts.size + draft.speakers.size > 0
    kept.write(draft.open === undefined && !isWritten ? undefined : draft, isWritten)
  }
  const change = (part: Partial<Draft>): void => put({ ...state.peek(), ...part })
  const isOpen = (block: Stretch): boolean => {
    const { open } = state.value
    return open !== undefined && isWithin(block, open)
  }
  return {
    ...makeSent(),
    /** A segment of the block whose editor is open. */
    open: computed(() => state.value.open),
    refusal: computed(() => state.value.refusal),
    begin: (segment: number): void => change({ open: segment, refusal: "" }),
    textOf: (index: number): Written | undefined => state.value.texts.get(index),
    write: (index: number, written: Written): void =>
      change({ texts: new Map([...state.peek().texts, [index, written]]) }),
    speakerOf: (block: Stretch): string | undefined => within(state.value.speakers, block)[0]?.[1],
    name: (block: Stretch, speaker: string): void =>
      change({
        speakers: new Map([...without(state.peek().speakers, block), [block.first, speaker]])
      }),
    refuse: (refusal: string): void => change({ refusal }),
    /** Whether the editor of this block is open: while it is sent, somebody may open another. */
    isOpen,
    /** Whether something of a block is written and not saved. */
    has: (block: Stretch): boolean =>
      [...state.value.texts.keys(), ...state.value.speakers.keys()].some((index) =>
        isWithin(block, index)
      ),
    /** Puts away what is written of a block, and gives the way back, which takes nothing else. */
    drop: (block: Stretch): (() => void) => {
      const before = state.peek()
      change({
        ...(isOpen(block) ? { open: undefined, refusal: "" } : {}),
        texts: without(before.texts, block),
        speakers: without(before.speakers, block)
      })
      return () => {
        const { speakers, texts } = state.peek()
        change({
          open: before.open,
          refusal: before.refusal,
          texts: new Map([...within(before.texts, block), ...texts]),
          speakers: new Map([...within(before.speakers, block), ...speakers])
        })
      }
    }
  }
}
