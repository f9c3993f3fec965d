/**
 * All that was said, of which only the blocks in sight are drawn. It follows the sound, until
 * somebody looks elsewhere.
 */
import { useSignalEffect } from "@preact/signals"
import type { RefObject } from "preact"
import { useRef } from "preact/hooks"
import { useSight } from "./BlockSight.ts"
import { blockOf, type Heights } from "./Blocks.ts"
import { BlockView } from "./BlockView.tsx"
import type { Transcript } from "./Model.ts"

/** Room above a block that is looked for: the player stands there. */
const headRoom = 200

/** Brings blocks into sight: that which is heard, which is being corrected, or which was found. */
const useFollowing = (
  { blocks, currentBlock, draft, player, search }: Transcript,
  list: RefObject<HTMLOListElement | null>,
  heights: Heights
): void => {
  const bringIntoSight = (block: number): void => {
    const top = (list.current?.getBoundingClientRect().top ?? 0) + heights.topOf(block)
    if (top > headRoom - 60 && top < window.innerHeight * 0.7) return
    window.scrollBy({ top: top - headRoom, behavior: "instant" })
  }
  const follow = (block: number): void => {
    requestAnimationFrame(() => bringIntoSight(block))
  }
  // Whoever moves without a sound is followed, too.
  useSignalEffect(() => {
    const block = currentBlock.value
    if (block < 0 || draft.open.peek() !== undefined) return
    if (player.isPlaying.peek() || player.seconds.peek() > 0) follow(block)
  })
  // What is corrected is in sight when that begins; later it may be scrolled away.
  useSignalEffect(() => {
    const open = draft.open.value
    if (open === undefined) return
    const block = blockOf(blocks.peek(), open)
    if (block >= 0) follow(block)
  })
  useSignalEffect(() => {
    const hit = search.hits.value[search.hit.value]
    if (hit !== undefined) follow(hit.block)
  })
}

/** Shows the blocks. */
export const BlockList = ({ transcript }: { readonly transcript: Transcript }) => {
  const list = useRef<HTMLOListElement>(null)
  const blocks = transcript.blocks.value
  const { from, heights, to } = useSight(list, blocks)
  useFollowing(transcript, list, heights)
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
