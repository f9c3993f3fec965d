/** Makes a preset: its slug, and the content of its first version. */
import { useSignal } from "@preact/signals"
import { sentenceOf } from "../Api.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { useRepeatKey } from "../ui/SteadyHand.ts"
import { usePresence } from "../ui/Theme.ts"
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
  const fault = useSignal("")
  const isBusy = useSignal(false)
  const isThere = usePresence()
  const keyFor = useRepeatKey()
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    const sent = draft.value
    const { slug } = sent
    try {
      await makeVersion(slug, sent, {
        headers: { "if-none-match": "*" },
        idempotencyKey: keyFor(sent)
      })
      drop(sent)
      notify(`${slug} is made.`)
      if (isThere()) given.onMade(slug)
    } catch (cause) {
      fault.value = sentenceOf(cause)
      if (!isThere()) notify(fault.value, { isFault: true })
    }
    isBusy.value = false
  }
  return (
    <Dialog title="New preset" onClose={given.onClose} isWide>
      <form class="version-form" onSubmit={(event) => void submit(event)}>
        <FoundNote isFound={isFound} beginAnew={beginAnew} />
        <label class="field">
          <span class="field-label">Slug</span>
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
        </label>
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
