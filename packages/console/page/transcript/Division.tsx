/** Splits and joins segments while their block is edited, with keys or buttons. */
import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Button } from "../ui/Button.tsx"
import type { Change } from "./Corrections.ts"
import type { Transcript } from "./Model.ts"

/** A split or a join, to be saved together with the block's other changes. */
export type Division = Readonly<{ change: Change; said: string }>

type Options = Readonly<{ transcript: Transcript; save: (division: Division) => void }>
type Place = Readonly<{ index: number; at: number }>

/** Returns the cursor's position, or undefined if the cursor does not divide the text. */
const placeOf = (field: HTMLTextAreaElement): Place | undefined => {
  const { dataset, selectionEnd, selectionStart, value } = field
  const isBetween =
    value.slice(0, selectionStart).trim() !== "" && value.slice(selectionEnd).trim() !== ""
  return isBetween && selectionStart === selectionEnd
    ? { index: Number(dataset.line), at: selectionStart }
    : undefined
}

export const useDivisions = ({ save }: Options) => {
  const place = useSignal<Place | undefined>(undefined)
  const field = useRef<HTMLTextAreaElement | null>(null)
  const isText = (target: EventTarget | null): target is HTMLTextAreaElement =>
    target instanceof HTMLTextAreaElement
  /** Opens the fields for a split. Returns false if the cursor does not divide the text. */
  const split = (): boolean => {
    place.value = field.current === null ? undefined : placeOf(field.current)
    return place.value !== undefined
  }
  /** Joins a segment to the previous segment. Returns false for the first segment. */
  const join = (): boolean => {
    const index = Number(field.current?.dataset.line ?? 0)
    if (index > 0) save({ change: { index, join: true }, said: "Segments joined." })
    return index > 0
  }
  const handlers = {
    onFocusIn: ({ target }: FocusEvent): void => {
      if (isText(target)) field.current = target
    },
    onInput: ({ target }: Event): void => {
      if (isText(target)) place.value = undefined
    },
    /** Enter splits a segment, and Backspace at its start joins it to the previous segment. */
    onKeyDown: (event: KeyboardEvent): void => {
      const { altKey, ctrlKey, isComposing, key, metaKey, repeat, shiftKey, target } = event
      if (altKey || ctrlKey || metaKey || shiftKey || isComposing || repeat) return
      if (!isText(target)) return
      const isAtStart = key === "Backspace" && target.selectionEnd === 0
      if ((key === "Enter" && split()) || (isAtStart && join())) event.preventDefault()
    }
  }
  return { place, split, join, handlers }
}

type Divisions = ReturnType<typeof useDivisions>

const SplitFields = ({
  divisions: { place },
  from: { at, index },
  save,
  transcript
}: Options & { readonly divisions: Divisions; readonly from: Place }) => {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.select(), [])
  const { speaker = "", text = "" } = transcript.segments.value[index] ?? {}
  // With two speakers, a split is nearly always where the other one begins.
  const others = transcript.speakers.value.filter((name) => name !== speaker)
  const written = transcript.draft.textOf(index)?.text ?? text.trim()
  const close = (): void => {
    place.value = undefined
  }
  const split = (): void => {
    const named = field.current?.value.trim() ?? ""
    // The editor shows unchanged text without leading spaces.
    const hidden = written === text.trim() ? text.length - text.trimStart().length : 0
    const isOther = named !== "" && named !== speaker
    const divided = { at: hidden + at, ...(isOther ? { speaker: named } : {}) }
    save({ change: { index, split: divided }, said: "Segment split." })
  }
  return (
    <div class="cluster">
      <label class="grow stack-2">
        <span class="hint breaks" dir="auto">
          Speaker of “{written.slice(at).trim()}”
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

export const DivisionButtons = (props: Options & { readonly divisions: Divisions }) => {
  const { divisions, transcript } = props
  const { join, place, split } = divisions
  const refuse = (why: string): void => transcript.draft.refuse(why)
  if (place.value !== undefined) return <SplitFields {...props} from={place.value} />
  const noPlace = "Put the cursor where the text is to be split."
  const isFirst = "There is no segment before this one."
  return (
    <div class="cluster">
      <Button class="is-small" onClick={() => refuse(split() ? "" : noPlace)} word="Split here" />
      <Button class="is-small" onClick={() => refuse(join() ? "" : isFirst)}>
        Join with previous
      </Button>
    </div>
  )
}
