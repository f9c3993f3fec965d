/** Makes a preset: its slug, and the content of its first version. */

import { useMemo } from "preact/hooks"
import { Dialog } from "../ui/Dialog.tsx"
import { Field, useSubmission } from "../ui/Forms.tsx"
import { makeRepeatKeys } from "../ui/SteadyHand.ts"
import { notify } from "../ui/Toasts.tsx"
import { FoundNote, useKeptDraft } from "./KeptDraft.tsx"
import { slugPattern } from "./PresetTraits.ts"
import { type Draft, emptyDraft, makeVersion, VersionForm } from "./VersionForm.tsx"

/** The draft of a first version, with the slug of the preset to be made. */
interface NamedDraft extends Draft {
  readonly slug: string
}

/** Shows the form for as long as it is there. */
export const NewPreset = (given: {
  readonly onClose: () => void
  readonly onMade: (slug: string) => void
}) => {
  const { beginAnew, draft, drop, isFound } = useKeptDraft<NamedDraft>("preset", {
    ...emptyDraft,
    slug: ""
  })
  const keyFor = useMemo(makeRepeatKeys, [])
  const { fault, isBusy, isThere, submit } = useSubmission(async () => {
    const sent = draft.value
    const { slug } = sent
    const options = { headers: { "if-none-match": "*" }, idempotencyKey: keyFor(sent) }
    await makeVersion(slug, sent, options)
    drop(sent)
    notify(`${slug} is made.`)
    if (isThere()) given.onMade(slug)
  })
  return (
    <Dialog title="New preset" onClose={given.onClose} isWide>
      <form class="version-form stack" onSubmit={submit}>
        <FoundNote isFound={isFound} beginAnew={beginAnew} />
        <Field label="Slug">
          <input
            class="input is-mono"
            value={draft.value.slug}
            onInput={(event) => {
              draft.value = { ...draft.value, slug: event.currentTarget.value }
            }}
            required
            pattern={slugPattern}
            spellcheck={false}
            autocomplete="off"
            aria-describedby="slug-hint"
          />
          <span class="hint" id="slug-hint">
            The name that requests use: letters, digits and . _ ~ -
          </span>
        </Field>
        <VersionForm
          draft={draft}
          fault={fault}
          isBusy={isBusy.value}
          submitWord="Make the preset"
        />
      </form>
    </Dialog>
  )
}
