/** Keeps a form's draft when the form is closed, and restores it when the form is reopened. */

import { effect, type Signal, useSignal } from "@preact/signals"
import { useLayoutEffect, useMemo } from "preact/hooks"
import { openDraft } from "../session/Drafts.ts"
import { Button } from "../ui/Button.tsx"

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Returns the saved draft with the given name, or a new draft. */
export const useSavedDraft = <Draft,>(name: string, begin: Draft) => {
  const slot = useMemo(() => openDraft<Draft>(name), [name])
  const found = useMemo(() => slot.read(), [slot])
  const draft = useSignal(found ?? begin)
  const isRestored = useSignal(found !== undefined)
  // A layout effect runs before the form is painted, so that no input is missed.
  useLayoutEffect(
    () =>
      effect(() => {
        slot.write(isSame(draft.value, begin) ? undefined : draft.value)
      }),
    [slot]
  )
  return {
    draft,
    isRestored,
    discard: (): void => {
      draft.value = begin
      isRestored.value = false
    },
    /** Discards the draft that was sent, but keeps any later changes. */
    drop: (sent: Draft): void => {
      if (isSame(slot.read(), sent)) slot.write(undefined)
    }
  }
}

/** Shows that the draft was restored, and offers to discard it. */
export const RestoredNote = (props: {
  readonly isRestored: Signal<boolean>
  readonly discard: () => void
  /** The version that the draft began with. */
  readonly from?: string
  /** The label of the button that discards the draft. */
  readonly discardWord?: string
}) =>
  props.isRestored.value ? (
    <div class="note apart" role="status">
      <span>
        Your unsaved draft {props.from === undefined ? "" : `from ${props.from} `}was restored.
      </span>
      <Button class="is-small" onClick={props.discard}>
        {props.discardWord ?? "Discard draft"}
      </Button>
    </div>
  ) : null
