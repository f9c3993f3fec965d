/** Shows the transcript's visible blocks, and scrolls along with the recording. */
import { useSignalEffect } from "@preact/signals"
import type { RefObject } from "preact"
import { useMemo, useRef } from "preact/hooks"
import { can } from "../session/Session.ts"
import { IconButton } from "../ui/Button.tsx"
import { type Heights, makeHeights } from "../ui/Heights.ts"
import { isWriting } from "../ui/Shortcuts.ts"
import { useWindowEvents } from "../ui/Theme.ts"
import { VirtualList } from "../ui/VirtualList.tsx"
import { BlockEditor, PlayButton } from "./BlockEditor.tsx"
import { type Block, formatTime, guessHeight, type Range, timeAt, wordAt } from "./Blocks.ts"
import type { Transcript } from "./Model.ts"

/** Keys that scroll the page. Space and the left and right arrows control playback. */
const scrollKeys = /^(Arrow(Down|Up)|End|Home|Page(Down|Up))$/
const gap = 24
const topHeight = (): number => document.querySelector(".transcript-top")?.clientHeight ?? 0

/** Returns the segment being heard or, if its block is out of view, the first segment in view. */
export const segmentInView = ({ blocks, current, currentBlock }: Transcript): number => {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-index]")]
    .map((row) => ({ index: Number(row.dataset.index), ...row.getBoundingClientRect().toJSON() }))
    .filter(({ bottom, top }) => bottom > topHeight() && top < window.innerHeight)
  if (rows.some(({ index }) => index === currentBlock.value)) return current.value
  // A block that began above is meant only if it still fills the upper half of the view, which is
  // below the player.
  const middle = (topHeight() + window.innerHeight) / 2
  const first = rows.find(({ bottom, top }) => top >= topHeight() || bottom > middle) ?? rows[0]
  return blocks.value[first?.index ?? 0]?.first ?? 0
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
    const side = (event.target as Element).closest?.(".transcript-side")
    const isOfSide = side && side.scrollHeight > side.clientHeight
    const hasPlayed = player.isPlaying.peek() || player.seconds.peek() > 0
    if (hasPlayed && !isOfSide) isFollowing.value = false
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

type Props = Readonly<{ transcript: Transcript; block: Block; index: number }>
type Mark = Range & { readonly kind: "found" | "hit" | "said" | "word" }
const cut = (text: string, marks: ReadonlyArray<Mark>) => {
  const all = [0, text.length, ...marks.flatMap(({ from, to }) => [from, to])]
  const edges = [...new Set(all)].sort((one, other) => one - other)
  return edges.slice(0, -1).map((from, position) => {
    const to = edges[position + 1] ?? text.length
    const kinds = marks.filter((mark) => mark.from <= from && mark.to >= to).map(({ kind }) => kind)
    return { from, text: text.slice(from, to), kinds }
  })
}

const offsetAt = (event: MouseEvent): number | undefined => {
  const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY)
  const from = caret?.offsetNode.parentElement?.dataset.from
  return from === undefined ? undefined : Number(from) + (caret?.offset ?? 0)
}

const readSaid = ({ block, index, transcript }: Props): ReadonlyArray<Mark> => {
  const { current, currentBlock, player, segments } = transcript
  if (currentBlock.value !== index) return []
  const segment = segments.value[current.value]
  const from = block.offsets[current.value - block.first]
  if (segment === undefined || from === undefined) return []
  if (player.seconds.value === 0 && !player.isPlaying.value) return []
  const word = wordAt(segment, player.seconds.value)
  const whole = { kind: "said", from, to: from + segment.text.trim().length } as const
  return word === undefined
    ? [whole]
    : [whole, { kind: "word", from: from + word.from, to: from + word.to }]
}

const useMarks = (props: Props): ReadonlyArray<Mark> => {
  const { index, transcript } = props
  const { hit, hits } = transcript.search
  const all = hits.value
  const now = all[hit.value]
  const found = useMemo(() => {
    const own = all.filter(({ block }) => block === index)
    return own.map((each): Mark => ({ ...each, kind: each === now ? "hit" : "found" }))
  }, [all, now, index])
  return [...found, ...readSaid(props)]
}

const Text = (props: Props) => {
  const { block, transcript } = props
  const marks = useMarks(props)
  const go = (event: MouseEvent): void => {
    if (!(getSelection()?.isCollapsed ?? true)) return
    const offset = offsetAt(event)
    if (offset === undefined) return
    const position = block.offsets.findLastIndex((from) => from <= offset)
    const segment = transcript.segments.value[block.first + position]
    if (segment === undefined) return
    transcript.player.playFrom(timeAt(segment, offset - (block.offsets[position] ?? 0)))
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the time is a button, and j and k move on
    <p class="block-text" dir="auto" onClick={go}>
      {cut(block.text, marks).map(({ from, kinds, text }) => (
        <span
          key={from}
          data-from={from}
          {...(kinds.length === 0 ? {} : { class: kinds.map((kind) => `is-${kind}`).join(" ") })}
        >
          {text}
        </span>
      ))}
    </p>
  )
}

const BlockView = (props: Props) => {
  const { block, transcript } = props
  const time = formatTime(block.start)
  if (transcript.draft.isOpen(block)) return <BlockEditor transcript={transcript} block={block} />
  return (
    <article
      class={`block is-shade-${transcript.shadeOf(block.speaker)}`}
      tabIndex={-1}
      data-block={block.first}
    >
      <PlayButton player={transcript.player} from={block.start} whose={`, ${block.speaker}`} />
      <span class="block-speaker" dir="auto">
        {block.speaker}
        {transcript.draft.has(block) ? <span class="badge is-warn">not saved</span> : null}
      </span>
      {can("transcriptions:write") ? (
        <IconButton
          class="block-edit"
          icon="pen"
          label={`Correct ${time}`}
          title="Correct (e)"
          onClick={() => transcript.draft.begin(block.first)}
        />
      ) : null}
      <Text {...props} />
    </article>
  )
}
