/** Keeps unsaved corrections by segment, even if the editor is closed or the session ends. */
import { computed, signal } from "@preact/signals"
import { openDraft } from "../session/Drafts.ts"
import type { Block } from "./Blocks.ts"

/** The new text of a segment, and the text when editing began. */
export type Written = Readonly<{ before: string; text: string }>

interface Draft {
  /** A segment in the block whose editor is open. */
  readonly open: number | undefined
  readonly texts: ReadonlyMap<number, Written>
  /** New speakers, keyed by the first segment of a block. */
  readonly speakers: ReadonlyMap<number, string>
  readonly refusal: string
}

const nothing: Draft = { open: undefined, texts: new Map(), speakers: new Map(), refusal: "" }
type BlockRange = Pick<Block, "end" | "first">
const isWithin = ({ end, first }: BlockRange, index: number) => index >= first && index < end
const without = <Value>(all: ReadonlyMap<number, Value>, block: BlockRange) =>
  new Map([...all].filter(([index]) => !isWithin(block, index)))

const within = <Value>(all: ReadonlyMap<number, Value>, block: BlockRange) =>
  [...all].filter(([index]) => isWithin(block, index))

/** Tracks the blocks that are being sent, by their first segments. */
const makeSent = () => {
  const sent = signal<ReadonlySet<number>>(new Set())
  return {
    /** The fields of a block are locked until it is saved, because saving closes them. */
    isSent: (block: BlockRange): boolean => [...sent.value].some((index) => isWithin(block, index)),
    send: ({ first }: BlockRange): (() => void) => {
      sent.value = new Set([...sent.value, first])
      return () => {
        sent.value = new Set([...sent.value].filter((each) => each !== first))
      }
    }
  }
}

export const makeDraft = (id: string) => {
  const slot = openDraft<Draft>(`transcript ${id}`)
  const state = signal(slot.read() ?? nothing)
  const put = (draft: Draft): void => {
    state.value = draft
    const isWritten = draft.texts.size + draft.speakers.size > 0
    slot.write(draft.open === undefined && !isWritten ? undefined : draft, isWritten)
  }
  const change = (part: Partial<Draft>): void => put({ ...state.peek(), ...part })
  const isOpen = (block: BlockRange): boolean => {
    const { open } = state.value
    return open !== undefined && isWithin(block, open)
  }
  return {
    ...makeSent(),
    open: computed(() => state.value.open),
    refusal: computed(() => state.value.refusal),
    begin: (segment: number): void => change({ open: segment, refusal: "" }),
    leave: (): void => change({ open: undefined, refusal: "" }),
    textOf: (index: number): Written | undefined => state.value.texts.get(index),
    write: (index: number, written: Written): void =>
      change({ texts: new Map([...state.peek().texts, [index, written]]) }),
    speakerOf: (block: BlockRange) => within(state.value.speakers, block)[0]?.[1],
    name: (block: BlockRange, speaker: string): void =>
      change({
        speakers: new Map([...without(state.peek().speakers, block), [block.first, speaker]])
      }),
    refuse: (refusal: string): void => change({ refusal }),
    /** Moves all changes to the segments' new indexes, after splits or joins. */
    move: (to: (index: number) => number): void => {
      const { open, speakers, texts } = state.peek()
      const moved = <Value>(all: ReadonlyMap<number, Value>) =>
        new Map([...all].map(([index, value]) => [to(index), value]))
      change({
        open: open === undefined ? undefined : to(open),
        texts: moved(texts),
        speakers: moved(speakers)
      })
    },
    isOpen,
    has: (block: BlockRange): boolean =>
      within(state.value.texts, block).length + within(state.value.speakers, block).length > 0,
    /** Discards the changes to a block. The returned function restores only these changes. */
    drop: (block: BlockRange): (() => void) => {
      const before = state.peek()
      change({
        ...(isOpen(block) ? { open: undefined, refusal: "" } : {}),
        texts: without(before.texts, block),
        speakers: without(before.speakers, block)
      })
      return () => {
        const { speakers, texts } = state.peek()
        change({
          ...before,
          texts: new Map([...within(before.texts, block), ...texts]),
          speakers: new Map([...within(before.speakers, block), ...speakers])
        })
      }
    }
  }
}
