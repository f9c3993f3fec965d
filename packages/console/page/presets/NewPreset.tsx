/** The form for a new preset, with its slug and the content of its first version. */

import { useMemo } from "preact/hooks"
import { Dialog } from "../ui/Dialog.tsx"
import { Field, useSubmission } from "../ui/Forms.tsx"
import { makeIdempotencyKeys } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import { slugPattern } from "./PresetTraits.ts"
import { RestoredNote, useSavedDraft } from "./SavedDraft.tsx"
import { type Draft, emptyDraft, makeVersion, VersionForm } from "./VersionForm.tsx"

/** The draft of a new preset's first version, with the preset's slug. */
interface NamedDraft extends Draft {
  readonly slug: string
}

export const NewPreset = (props: {
  readonly onClose: () => void
  readonly onMade: (slug: string) => void
}) => {
  const { discard, draft, drop, isRestored } = useSavedDraft<NamedDraft>("preset", {
    ...emptyDraft,
    slug: ""
  })
  const keyFor = useMemo(makeIdempotencyKeys, [])
  const { fault, isBusy, isMounted, submit } = useSubmission(async () => {
    const sent = draft.value
    const { slug } = sent
    const options = { headers: { "if-none-match": "*" }, idempotencyKey: keyFor(sent) }
    await makeVersion(slug, sent, options)
    drop(sent)
    notify(`${slug} created.`)
    if (isMounted()) props.onMade(slug)
  })
  return (
    <Dialog title="New preset" onClose={props.onClose} isWide>
      <form
        class="version-form stack"
        onSubmit={submit}
        onKeyDown={(event) => {
          // The page's shortcuts do nothing while a dialog is open.
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.currentTarget.requestSubmit()
        }}
      >
        <RestoredNote isRestored={isRestored} discard={discard} />
        <Field label="Slug">
          <input
            class="input is-mono"
            value={draft.value.slug}
            onInput={(event) => {
              draft.value = { ...draft.value, slug: event.currentTarget.value }
            }}
            required
            pattern={slugPattern}
            title="At most 255 letters, digits and . _ ~ -"
            spellcheck={false}
            autocomplete="off"
            aria-describedby="slug-hint"
          />
          <span class="hint" id="slug-hint">
            The name that requests use: letters, digits and . _ ~ -
          </span>
        </Field>
        <VersionForm draft={draft} fault={fault} isBusy={isBusy.value} submitWord="Create preset" />
      </form>
    </Dialog>
  )
}
