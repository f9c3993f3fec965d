/** Shows the transcript's visible blocks, and scrolls along with the recording. */
import { useSignalEffect } from "@preact/signals"
import type { RefObject } from "preact"
import { useMemo, useRef } from "preact/hooks"
import { type Heights, makeHeights } from "../ui/Heights.ts"
import { isWriting } from "../ui/Shortcuts.ts"
import { useWindowEvents } from "../ui/Theme.ts"
import { VirtualList } from "../ui/VirtualList.tsx"
import { guessHeight } from "./Blocks.ts"
import { BlockView } from "./BlockView.tsx"
import type { Transcript } from "./Model.ts"

/** Keys that scroll the page. Space and the left and right arrows control playback. */
const scrollKeys = /^(Arrow(Down|Up)|End|Home|Page(Down|Up))$/

/** Distance in pixels between the player and a block after scrolling. */
const gap = 24

/** Returns the height of the player and the search, which stay in view above the blocks. */
const topHeight = (): number => document.querySelector(".transcript-top")?.clientHeight ?? 0

/** Returns the segment being heard or, if its block is out of view, the first segment in view. */
export const segmentInView = ({ blocks, current, currentBlock }: Transcript): number => {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-index]")]
    .map((row) => ({ index: Number(row.dataset.index), ...row.getBoundingClientRect().toJSON() }))
    .filter(({ bottom, top }) => bottom > topHeight() && top < window.innerHeight)
  if (rows.some(({ index }) => index === currentBlock.value)) return current.value
  const whole = rows.find(({ top }) => top >= topHeight()) ?? rows[0]
  return blocks.value[whole?.index ?? 0]?.first ?? 0
}

const useFollowing = (
  { currentBlock, draft, isFollowing, openBlock, player, search }: Transcript,
  list: RefObject<HTMLElement | null>,
  heights: Heights
): void => {
  const bringIntoSight = (block: number): void => {
    const top = (list.current?.getBoundingClientRect().top ?? 0) + heights.topOf(block)
    const margin = topHeight() + gap
    if (top > margin - 60 && top < window.innerHeight * 0.7) return
    window.scrollBy({ top: top - margin, behavior: "instant" })
  }
  const follow = (block: number): void => {
    requestAnimationFrame(() => bringIntoSight(block))
  }
  // Only users cause these events. `scroll` events also report the page's own scrolling.
  useWindowEvents(["wheel", "touchmove", "keydown"], (event) => {
    const isKey = event instanceof KeyboardEvent
    if (isKey && (isWriting(event.target) || !scrollKeys.test(event.key))) return
    isFollowing.value = false
  })
  // The list also scrolls when the user seeks in a recording that is not playing.
  useSignalEffect(() => {
    const block = currentBlock.value
    if (block < 0 || !isFollowing.value || draft.open.peek() !== undefined) return
    if (player.isPlaying.peek() || player.seconds.peek() > 0) follow(block)
  })
  // The list scrolls to the editor only when it opens, so that the user can scroll away later.
  useSignalEffect(() => {
    if (draft.open.value === undefined) return
    if (openBlock.peek() >= 0) follow(openBlock.peek())
    requestAnimationFrame(() => {
      document.activeElement?.closest(".editor-line")?.scrollIntoView({ block: "nearest" })
    })
  })
  // Corrections also change the matches, but the list scrolls only when the user moves to a match.
  useSignalEffect(() => {
    void search.chosen.value
    const hit = search.hits.peek()[search.hit.peek()]
    if (hit !== undefined) follow(hit.block)
  })
}

export const BlockList = ({ transcript }: { readonly transcript: Transcript }) => {
  const list = useRef<HTMLDivElement>(null)
  const blocks = transcript.blocks.value
  const heights = useMemo(() => makeHeights(blocks.map(guessHeight)), [blocks])
  useFollowing(transcript, list, heights)
  return (
    <div ref={list}>
      <VirtualList
        label="Transcript"
        items={blocks}
        heights={heights}
        keyOf={({ first }) => String(first)}
        kept={transcript.openBlock.value}
        render={(block, index) => <BlockView transcript={transcript} block={block} index={index} />}
      />
    </div>
  )
}
