/**
 * All that was said, of which only the blocks in sight are drawn. It follows the sound, until
 * somebody looks elsewhere.
 */
import { useSignal, useSignalEffect } from "@preact/signals"
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { isPrinting } from "../ui/Printing.ts"
import { useWindowChange } from "../ui/WindowChange.ts"
import { type Block, blockOf } from "./Blocks.ts"
import { BlockView } from "./BlockView.tsx"
import { makeHeights } from "./Heights.ts"
import type { Transcript } from "./Model.ts"

/** Drawn beyond the edges, in pixels. */
const overscan = 600

/** What a block takes beside its lines, and a line: as the style sheet has it. */
const sizes = { rest: 44, line: 26, letter: 7.4 } as const

/** Room above a block that is looked for: the player stands there. */
const headRoom = 200

const guess =
  (width: number) =>
  ({ text }: Block): number =>
    sizes.rest + sizes.line * Math.max(1, Math.ceil((text.length * sizes.letter) / width))

/** Shows the blocks. */
export const BlockList = ({ transcript }: { readonly transcript: Transcript }) => {
  const list = useRef<HTMLOListElement>(null)
  const shown = useSignal({ from: 0, to: 12 })
  const { currentBlock, player, search } = transcript
  const blocks = transcript.blocks.value
  const width = useSignal(640)
  const heights = useMemo(() => makeHeights(blocks.map(guess(width.peek()))), [blocks])

  const look = (): void => {
    const top = list.current?.getBoundingClientRect().top ?? 0
    const from = heights.indexAt(Math.max(0, -top - overscan))
    const to = heights.indexAt(Math.max(0, -top + window.innerHeight + overscan)) + 1
    const before = shown.peek()
    if (before.from !== from || before.to !== to) shown.value = { from, to }
  }
  useWindowChange(look, [heights])
  const sight = isPrinting.value ? { from: 0, to: blocks.length } : shown.value
  const { from } = sight
  const to = Math.min(sight.to, blocks.length)
  useLayoutEffect(() => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[data-block]") ?? [])]
    // Asked for all at once, and only then written: the page is laid out once.
    const measured = items.map((item) => ({
      index: Number(item.dataset.block),
      height: item.offsetHeight
    }))
    const isNews = measured.filter(({ height, index }) => heights.note(index, height)).length > 0
    if (isNews) look()
  })

  const goTo = (block: number, { onlyIfHidden = false } = {}): void => {
    const top = (list.current?.getBoundingClientRect().top ?? 0) + heights.topOf(block)
    const isInSight = top > headRoom - 60 && top < window.innerHeight * 0.7
    if (onlyIfHidden && isInSight) return
    window.scrollBy({ top: top - headRoom, behavior: "instant" })
  }
  // Follows the sound, and whoever moves without one.
  useSignalEffect(() => {
    const block = currentBlock.value
    if (block < 0 || transcript.draft.open.peek() !== undefined) return
    if (player.isPlaying.peek() || player.seconds.peek() > 0) {
      requestAnimationFrame(() => goTo(block, { onlyIfHidden: true }))
    }
  })
  // What is corrected is in sight when that begins; later it may be scrolled away.
  useSignalEffect(() => {
    const open = transcript.draft.open.value
    if (open === undefined) return
    const block = blockOf(transcript.blocks.peek(), open)
    if (block >= 0) requestAnimationFrame(() => goTo(block, { onlyIfHidden: true }))
  })
  useSignalEffect(() => {
    const hit = search.hits.value[search.hit.value]
    if (hit !== undefined) requestAnimationFrame(() => goTo(hit.block, { onlyIfHidden: true }))
  })

  return (
    <ol class="blocks" ref={list} aria-label="What was said">
      <li class="blocks-room" aria-hidden="true" style={{ height: `${heights.topOf(from)}px` }} />
      {blocks.slice(from, to).map((block, place) => (
        <li
          key={block.first}
          data-block={from + place}
          aria-setsize={blocks.length}
          aria-posinset={from + place + 1}
        >
          <BlockView transcript={transcript} block={block} index={from + place} />
        </li>
      ))}
      <li
        class="blocks-room"
        aria-hidden="true"
        style={{ height: `${heights.topOf(blocks.length) - heights.topOf(to)}px` }}
      />
    </ol>
  )
}
