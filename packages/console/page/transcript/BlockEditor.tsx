/** Edits a block in place: its speaker, the text of each segment, splits and joins. */
import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { sentenceOf } from "../Api.ts"
import { Button } from "../ui/Button.tsx"
import { FieldFault } from "../ui/Forms.tsx"
import { focusSoon } from "../ui/Theme.ts"
import { notify } from "../ui/Toasts.tsx"
import { type Block, blockOf, formatTime, segmentAt } from "./Blocks.ts"
import { type Change, correctSegments } from "./Corrections.ts"
import type { Transcript } from "./Model.ts"
import { stepSeconds } from "./Player.ts"

const changesOf = ({ draft, segments }: Transcript, block: Block): ReadonlyArray<Change> => {
  const named = draft.speakerOf(block)?.trim() ?? ""
  const isOther = named !== "" && named !== block.speaker
  return segments.value.slice(block.first, block.end).flatMap((segment, offset) => {
    const index = block.first + offset
    const text = draft.textOf(index)?.text
    const isChanged = text !== undefined && text !== segment.text.trim()
    if (!isChanged && !isOther) return []
    return [{ index, ...(isChanged ? { text } : {}), ...(isOther ? { speaker: named } : {}) }]
  })
}

type Props = Readonly<{ transcript: Transcript; block: Block }>
const SpeakerField = ({ block, isBusy, transcript }: Props & { readonly isBusy: boolean }) => (
  <>
    <input
      class="input"
      aria-label="Speaker"
      dir="auto"
      list="transcript-speakers"
      maxLength={80}
      readOnly={isBusy}
      value={transcript.draft.speakerOf(block) ?? block.speaker}
      onInput={(event) => transcript.draft.name(block, event.currentTarget.value)}
    />
    <datalist id="transcript-speakers">
      {transcript.speakers.value.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  </>
)

type PlayProps = Pick<Transcript, "player"> & { readonly from: number; readonly whose?: string }
export const PlayButton = ({ from, player, whose = "" }: PlayProps) => (
  <button
    type="button"
    class="block-time hint"
    aria-label={`Play from ${formatTime(from)}${whose}`}
    onClick={() => player.playFrom(from)}
  >
    {formatTime(from)}
  </button>
)

type TextProps = Readonly<{ transcript: Transcript; index: number; isBusy: boolean }>
const TextField = ({ index, isBusy, transcript }: TextProps) => {
  const { draft, segments } = transcript
  const { start = 0, text = "" } = segments.value[index] ?? {}
  const now = text.trim()
  const written = draft.textOf(index) ?? { before: now, text: now }
  return (
    <div class="editor-line stack-3">
      <PlayButton player={transcript.player} from={start} />
      <span class="editor-field">
        {now === written.before ? null : (
          <span class="hint" dir="auto">
            Now: {now}
          </span>
        )}
        <textarea
          class="input"
          dir="auto"
          rows={Math.max(1, Math.ceil(written.text.length / 70))}
          maxLength={5_000}
          readOnly={isBusy}
          aria-label={`Text at ${formatTime(start)}`}
          data-line={index}
          value={written.text}
          onInput={(event) => {
            draft.write(index, { before: written.before, text: event.currentTarget.value })
          }}
        />
      </span>
    </div>
  )
}

/** A focused button would be pressed by the space bar, which is to start playback. */
const focusBlock = ({ first }: Block): void => focusSoon(`[data-block="${first}"]`)

const addDivision = (changes: ReadonlyArray<Change>, added: ReadonlyArray<Change> = []) => {
  const all = new Map(changes.map((change) => [change.index, change]))
  for (const each of added) {
    const { speaker = undefined, ...rest } = all.get(each.index) ?? {}
    const kept = speaker === undefined || each.join ? rest : { ...rest, speaker }
    all.set(each.index, { ...kept, ...each })
  }
  return [...all.values()]
}

const describe = (
  { speakers }: Transcript,
  changes: ReadonlyArray<Change>,
  division: Division | undefined
): string => {
  const many = changes.length === 1 ? "Corrected." : `${changes.length} segments corrected.`
  const named = changes.flatMap(({ speaker, split }) => split?.speaker ?? speaker ?? [])
  const added = named.find((name) => !speakers.value.includes(name))
  return (division?.said ?? many) + (added === undefined ? "" : ` New speaker ${added}.`)
}

const trackRange = ({ segments }: Transcript, { end, first }: Block) => {
  const [from, to] = [segments.value[first]?.start ?? 0, segments.value[end]?.start]
  return () => ({
    first: segmentAt(segments.value, from),
    end: to === undefined ? segments.value.length : segmentAt(segments.value, to)
  })
}

const makeHandlers = ({ block, transcript }: Props) => {
  const { draft } = transcript
  const close = (): void => {
    if (draft.isSent(block)) return
    const isLost = changesOf(transcript, block).length > 0
    const takeBack = draft.drop(block)
    focusBlock(block)
    if (isLost) notify("Draft discarded.", { undo: takeBack })
  }
  const leave = (): void => {
    draft.leave()
    if (!draft.has(block)) return
    notify(`The correction at ${formatTime(block.start)} is not saved yet.`, {
      back: () => draft.begin(segmentAt(transcript.segments.value, block.start))
    })
  }
  const save = async (division?: Division): Promise<void> => {
    if (draft.isSent(block)) return
    const changes = addDivision(changesOf(transcript, block), division?.changes)
    if (changes.length === 0) return close()
    const end = draft.send(block)
    const findRange = trackRange(transcript, block)
    const said = describe(transcript, changes, division)
    const sent = correctSegments(transcript, changes, said)
    const refusal = await sent.then(() => undefined, sentenceOf)
    end()
    const range = findRange()
    const isOpen = draft.isOpen(range)
    if (refusal === undefined) {
      draft.drop(range)
      const { blocks } = transcript
      if (isOpen) focusBlock(blocks.value[blockOf(blocks.value, range.first)] ?? block)
    } else if (isOpen) draft.refuse(refusal)
    else notify(refusal, { isFault: true })
  }
  return { close, leave, save }
}

export const findEditor = (transcript: Transcript) => {
  const block = transcript.blocks.value[transcript.openBlock.value]
  return block === undefined ? undefined : makeHandlers({ block, transcript })
}

export const BlockEditor = ({ block, transcript }: Props) => {
  const form = useRef<HTMLFormElement>(null)
  const { draft } = transcript
  const isBusy = draft.isSent(block)
  // A layout effect never takes the focus from a user who continues immediately.
  useLayoutEffect(() => {
    const field = form.current?.querySelector<HTMLElement>(`[data-line="${draft.open.peek()}"]`)
    field?.focus({ preventScroll: true })
  }, [])
  const { close, save } = makeHandlers({ block, transcript })
  const dividing = { block, transcript, save: (division: Division) => void save(division) }
  const divisions = useDivisions(dividing)
  const indexes = Array.from({ length: block.end - block.first }, (_, at) => block.first + at)
  return (
    <form
      ref={form}
      class="block-editor box below stack-2"
      aria-label={`Correct ${formatTime(block.start)}`}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      {...divisions.handlers}
    >
      <SpeakerField transcript={transcript} block={block} isBusy={isBusy} />
      {indexes.map((index) => (
        <TextField key={index} transcript={transcript} index={index} isBusy={isBusy} />
      ))}
      <DivisionButtons {...dividing} divisions={divisions} />
      <FieldFault text={draft.refusal.value} />
      <div class="cluster">
        <span class="hint grow">
          Ctrl+Space plays or pauses, Ctrl+B plays the last {stepSeconds} s again, Enter splits,
          Ctrl+Enter saves, Esc cancels.
        </span>
        <Button class="is-small" onClick={close} word="Cancel" />
        <Button class="is-small is-primary" type="submit" disabled={isBusy} word="Save" />
      </div>
    </form>
  )
}

type Division = Readonly<{ changes: ReadonlyArray<Change>; said: string }>
type Options = Props & { readonly save: (division: Division) => void }
/** A place in a segment's text or, if `at` is 0, before the segment. */
type Place = Readonly<{ index: number; at: number }>
const placeOf = (field: HTMLTextAreaElement, { end, first }: Block): Place | undefined => {
  const { dataset, selectionEnd, selectionStart: at, value } = field
  const index = Number(dataset.line)
  if (at !== selectionEnd) return undefined
  const isAfter = value.trim() !== "" && value.slice(at).trim() === ""
  if (!isAfter && value.slice(0, at).trim() !== "") return { index, at }
  const next = isAfter ? index + 1 : index
  return next > first && next < end ? { index: next, at: 0 } : undefined
}

const noPlace = "Put the cursor where the text is to be split."
const useDivisions = ({ block, save, transcript }: Options) => {
  const place = useSignal<Place | undefined>(undefined)
  const field = useRef<HTMLTextAreaElement | null>(null)
  const isText = (target: EventTarget | null): target is HTMLTextAreaElement =>
    target instanceof HTMLTextAreaElement
  /** Opens the fields for a split, unless the cursor does not divide the block. */
  const split = (): void => {
    place.value = field.current === null ? undefined : placeOf(field.current, block)
    transcript.draft.refuse(place.value === undefined ? noPlace : "")
  }
  const join = (): boolean => {
    const index = Number(field.current?.dataset.line ?? 0)
    if (index > 0) save({ changes: [{ index, join: true }], said: "Segments joined." })
    return index > 0
  }
  const handlers = {
    onFocusIn: ({ target }: FocusEvent): void => {
      if (isText(target)) field.current = target
    },
    onInput: ({ target }: Event): void => {
      if (isText(target)) place.value = undefined
    },
    /** Enter splits the block, and Backspace at a segment's start joins it to the previous one. */
    onKeyDown: (event: KeyboardEvent): void => {
      const { altKey, ctrlKey, isComposing, key, metaKey, repeat, shiftKey, target } = event
      if (altKey || ctrlKey || metaKey || shiftKey || isComposing || repeat) return
      if (!isText(target)) return
      const isAtStart = key === "Backspace" && target.selectionEnd === 0
      if (key === "Enter") split()
      else if (!isAtStart || !join()) return
      event.preventDefault()
    }
  }
  return { place, split, join, handlers }
}

type Divisions = ReturnType<typeof useDivisions>
type SplitProps = Options & { readonly divisions: Divisions; readonly from: Place }
const SplitFields = (props: SplitProps) => {
  const { block, divisions, from, save, transcript } = props
  const { at, index } = from
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.select(), [])
  const { draft, segments, speakers } = transcript
  const speaker = draft.speakerOf(block)?.trim() || block.speaker
  // With two speakers, a split is nearly always where the other one begins.
  const others = speakers.value.filter((name) => name !== speaker)
  const text = segments.value[index]?.text ?? ""
  const writtenAt = (each: number): string =>
    draft.textOf(each)?.text ?? segments.value[each]?.text.trim() ?? ""
  const written = writtenAt(index)
  const after = Array.from({ length: block.end - index }, (_, offset) => index + offset)
  const rest = at === 0 ? after.map(writtenAt).join(" ") : written.slice(at).trim()
  const close = (): void => {
    divisions.place.value = undefined
  }
  const split = (): void => {
    const named = field.current?.value.trim() || speaker
    const isOther = named !== speaker
    if (at === 0) {
      if (!isOther) draft.refuse("Name another speaker: each block is by one speaker.")
      else save({ changes: after.map((index) => ({ index, speaker: named })), said: "Split." })
      return
    }
    // The editor shows unchanged text without leading spaces.
    const hidden = written === text.trim() ? text.length - text.trimStart().length : 0
    const divided = { at: hidden + at, ...(isOther ? { speaker: named } : {}) }
    save({ changes: [{ index, split: divided }], said: "Segment split." })
  }
  return (
    <div class="cluster">
      <label class="grow stack-2">
        <span class="hint breaks" dir="auto">
          Speaker of “{rest}”
        </span>
        <input
          ref={field}
          class="input"
          dir="auto"
          list="transcript-speakers"
          maxLength={80}
          defaultValue={others.length === 1 ? others[0] : speaker}
          onKeyDown={(event) => {
            if (event.key === "Escape") close()
            else if (event.key === "Enter" && !event.isComposing) split()
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
        />
      </label>
      <Button class="is-small is-primary" onClick={split} word="Split" />
      <Button class="is-small" onClick={close} word="Keep as one" />
    </div>
  )
}

const DivisionButtons = (props: Options & { readonly divisions: Divisions }) => {
  const { divisions, transcript } = props
  const { join, place, split } = divisions
  if (place.value !== undefined) return <SplitFields {...props} from={place.value} />
  const isFirst = "There is no segment before this one."
  return (
    <div class="cluster">
      <Button class="is-small" onClick={split} word="Split here" />
      <Button class="is-small" onClick={() => transcript.draft.refuse(join() ? "" : isFirst)}>
        Join with previous
      </Button>
    </div>
  )
}
