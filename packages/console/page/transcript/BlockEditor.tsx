/** Corrects a block where it stands: the text of each segment, and who speaks. */

import { useLayoutEffect, useRef } from "preact/hooks"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { notify } from "../ui/Toasts.tsx"
import { type Block, writeMoment } from "./Blocks.ts"
import { type Change, correctSegments } from "./Corrections.ts"
import type { Transcript } from "./Model.ts"

/** What of a block is another text than it says now, or another speaker. */
const changesOf = ({ draft, segments }: Transcript, block: Block): ReadonlyArray<Change> => {
  const named = draft.speakerOf(block)?.trim() ?? ""
  const isOther = named !== "" && named !== block.speaker
  return segments.value.slice(block.first, block.end).flatMap((segment, place) => {
    const index = block.first + place
    const text = draft.textOf(index)?.text
    const isChanged = text !== undefined && text !== segment.text.trim()
    if (!isChanged && !isOther) return []
    return [{ index, ...(isChanged ? { text } : {}), ...(isOther ? { speaker: named } : {}) }]
  })
}

const SpeakerField = ({
  block,
  isBusy,
  transcript
}: {
  readonly transcript: Transcript
  readonly block: Block
  readonly isBusy: boolean
}) => (
  <label class="editor-speaker">
    <span class="hidden">Speaker</span>
    <input
      class="input"
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
  </label>
)

const TextField = ({
  index,
  isBusy,
  transcript
}: {
  readonly transcript: Transcript
  readonly index: number
  readonly isBusy: boolean
}) => {
  const { draft, segments } = transcript
  const { start = 0, text = "" } = segments.value[index] ?? {}
  const now = text.trim()
  const written = draft.textOf(index) ?? { before: now, text: now }
  return (
    <label class="editor-line stack-3">
      <span class="block-time hint">{writeMoment(start)}</span>
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
          aria-label={`Text at ${writeMoment(start)}`}
          value={written.text}
          onInput={(event) => {
            draft.write(index, { before: written.before, text: event.currentTarget.value })
          }}
        />
      </span>
    </label>
  )
}

/** Whoever closed an editor by keys goes on from its button. */
const focusButton = ({ first }: Block): void => {
  setTimeout(() => {
    const button = document.querySelector<HTMLElement>(`[data-correct="${first}"]`)
    button?.focus({ preventScroll: true })
  })
}

interface Given {
  readonly transcript: Transcript
  readonly block: Block
}

/** What closes the editor, and what saves it. */
const makeEnds = ({ block, transcript }: Given) => {
  const { draft } = transcript
  const close = (): void => {
    if (draft.isSent(block)) return
    const isLost = changesOf(transcript, block).length > 0
    const takeBack = draft.drop(block)
    focusButton(block)
    if (isLost) notify("What you wrote is put away.", { undo: takeBack })
  }
  const save = async (): Promise<void> => {
    if (draft.isSent(block)) return
    const changes = changesOf(transcript, block)
    if (changes.length === 0) return close()
    const end = draft.send(block)
    const refused = await correctSegments(transcript, changes)
    end()
    // Somebody may be writing into another block by now.
    const isOpen = draft.isOpen(block)
    if (refused === undefined) {
      draft.drop(block)
      if (isOpen) focusButton(block)
    } else if (isOpen) draft.refuse(refused.sentence)
    else notify(refused.sentence, { isFault: true })
  }
  return { close, save }
}

/** Shows the fields. */
export const BlockEditor = ({ block, transcript }: Given) => {
  const form = useRef<HTMLFormElement>(null)
  const { draft } = transcript
  const isBusy = draft.isSent(block)
  // Before it is seen: whoever goes on at once is not taken away from where he writes.
  useLayoutEffect(() => {
    form.current?.querySelector("textarea")?.focus({ preventScroll: true })
  }, [])
  const { close, save } = makeEnds({ block, transcript })
  const indexes = Array.from({ length: block.end - block.first }, (_, place) => block.first + place)
  return (
    <form
      ref={form}
      class="block-editor stack-2"
      aria-label={`Correct ${writeMoment(block.start)}`}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") close()
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save()
      }}
    >
      <SpeakerField transcript={transcript} block={block} isBusy={isBusy} />
      {indexes.map((index) => (
        <TextField key={index} transcript={transcript} index={index} isBusy={isBusy} />
      ))}
      {draft.refusal.value === "" ? null : (
        <p class="field-fault bar" role="alert">
          <Icon name="alert" />
          {draft.refusal}
        </p>
      )}
      <div class="editor-end cluster">
        <span class="hint">Ctrl Enter saves, Esc leaves it as it is.</span>
        <Button class="is-small" onClick={close}>
          Cancel
        </Button>
        <Button class="is-small is-primary" type="submit" disabled={isBusy}>
          Save
        </Button>
      </div>
    </form>
  )
}
