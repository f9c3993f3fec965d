/** Shows a block with its start time, speaker and text. Clicking a word plays from that word. */
import { useMemo } from "preact/hooks"
import { can } from "../session/Session.ts"
import { IconButton } from "../ui/Button.tsx"
import { BlockEditor } from "./BlockEditor.tsx"
import { type Block, formatTime, type Range, timeAt, wordAt } from "./Blocks.ts"
import type { Transcript } from "./Model.ts"

type Props = Readonly<{ transcript: Transcript; block: Block; index: number }>

interface Mark extends Range {
  readonly kind: "found" | "hit" | "said" | "word"
}

const cut = (text: string, marks: ReadonlyArray<Mark>) => {
  const edges = [...new Set([0, text.length, ...marks.flatMap(({ from, to }) => [from, to])])].sort(
    (one, other) => one - other
  )
  return edges.slice(0, -1).map((from, position) => {
    const to = edges[position + 1] ?? text.length
    const kinds = marks.filter((mark) => mark.from <= from && mark.to >= to).map(({ kind }) => kind)
    return { from, text: text.slice(from, to), kinds }
  })
}

/** Returns the index of the clicked character, if the browser can report it. */
const offsetAt = (event: MouseEvent): number | undefined => {
  const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY)
  const from = caret?.offsetNode.parentElement?.dataset.from
  return from === undefined ? undefined : Number(from) + (caret?.offset ?? 0)
}

/** Marks the segment and the word being played. Only the block being played reads the clock. */
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
  const found = useMemo(
    () =>
      all
        .filter(({ block }) => block === index)
        .map((each): Mark => ({ ...each, kind: each === now ? "hit" : "found" })),
    [all, now, index]
  )
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

export const BlockView = (props: Props) => {
  const { block, transcript } = props
  const time = formatTime(block.start)
  if (transcript.draft.isOpen(block)) return <BlockEditor transcript={transcript} block={block} />
  return (
    <article
      class={`block is-shade-${transcript.shadeOf(block.speaker)}`}
      tabIndex={-1}
      data-block={block.first}
    >
      <button
        type="button"
        class="block-time hint"
        aria-label={`Play from ${time}, ${block.speaker}`}
        onClick={() => transcript.player.playFrom(block.start)}
      >
        {time}
      </button>
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
