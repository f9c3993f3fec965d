/** What was said, as it is shown: the segments, and the blocks that they make. */
import { batch, signal } from "@preact/signals"
import { type Block, blockOf, type Segment, toBlocks } from "./Blocks.ts"

/** As it was read. */
interface Read {
  readonly segments: ReadonlyArray<Segment>
  readonly blocks: ReadonlyArray<Block>
  readonly language: string
}

/** Nothing was said yet. */
export const makeSpoken = () => {
  const segments = signal<ReadonlyArray<Segment>>([])
  const blocks = signal<ReadonlyArray<Block>>([])
  let language = ""
  return {
    segments,
    blocks,
    /** Shows what was read. */
    put: (read: Read): void => {
      language = read.language
      batch(() => {
        segments.value = read.segments
        blocks.value = read.blocks
      })
    },
    /** Shows segments as they are corrected; only their blocks are made again. */
    replace: (changed: ReadonlyMap<number, Segment>): void => {
      const next = segments.value.map((segment, index) => changed.get(index) ?? segment)
      const places = new Set([...changed.keys()].map((index) => blockOf(blocks.value, index)))
      batch(() => {
        segments.value = next
        blocks.value = blocks.value.flatMap((block, place) => {
          const { end, first } = block
          return places.has(place) ? toBlocks(next.slice(first, end), language, first) : [block]
        })
      })
    },
    /** Shows a speaker under another name. */
    rename: (from: string, to: string): void => {
      const named = <Named extends { readonly speaker: string }>(item: Named): Named =>
        item.speaker === from ? { ...item, speaker: to } : item
      batch(() => {
        segments.value = segments.value.map(named)
        blocks.value = blocks.value.map(named)
      })
    }
  }
}
