/** A draft of a version that waits where it was left: nobody writes a prompt twice. */

import { effect, type Signal, useSignal } from "@preact/signals"
import { useLayoutEffect, useMemo } from "preact/hooks"
import { keepDraft } from "../session/Drafts.ts"
import { Button } from "../ui/Button.tsx"

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** The draft of that name, as it was left, or as it begins. */
export const useKeptDraft = <Draft,>(name: string, begin: Draft) => {
  const place = useMemo(() => keepDraft<Draft>(name), [name])
  const found = useMemo(() => place.read(), [place])
  const draft = useSignal(found ?? begin)
  const isFound = useSignal(found !== undefined)
  // Before the form is seen: nobody can write, and leave, sooner than this listens.
  useLayoutEffect(
    () =>
      effect(() => {
        place.write(isSame(draft.value, begin) ? undefined : draft.value)
      }),
    [place]
  )
  return {
    draft,
    isFound,
    beginAnew: (): void => {
      draft.value = begin
      isFound.value = false
    },
    /** It was sent so. What was written since stays. */
    drop: (sent: Draft): void => {
      if (isSame(place.read(), sent)) place.write(undefined)
    }
  }
}

/** Says that it is an older draft, and how to begin with another one. */
export const FoundNote = (given: {
  readonly isFound: Signal<boolean>
  readonly beginAnew: () => void
}) =>
  given.isFound.value ? (
    <div class="note is-row" role="status">
      <span>This is as you left it before.</span>
      <Button class="is-small" onClick={given.beginAnew}>
        Begin anew
      </Button>
    </div>
  ) : null
