/** The form for a new preset, with its slug and the content of its first version. */
import { Dialog, TextField } from "../ui/Forms.tsx"
import { notify } from "../ui/Toasts.tsx"
import { slugPattern } from "./PresetTraits.ts"
import { draftOf, makeVersion, useDraft, VersionForm } from "./VersionForm.tsx"

const empty = { config: { model: "" }, format: "responses", system_prompt: null, wins: [] } as const
type Props = Readonly<{ onClose: () => void; onMade: (slug: string) => void }>
export const NewPreset = (props: Props) => {
  const { submit, ...form } = useDraft({
    name: "preset",
    begin: { ...draftOf(empty), slug: "" },
    make: (sent, keyFor) => {
      const options = { headers: { "if-none-match": "*" }, idempotencyKey: keyFor(sent) }
      return makeVersion(sent.slug, sent, options)
    },
    onMade: async ({ slug }, isMounted) => {
      notify(`${slug} created.`)
      if (isMounted()) props.onMade(slug)
    }
  })
  const { draft } = form
  const slugField = (
    <TextField
      label="Slug"
      hint="The name that requests use: letters, digits and . _ ~ -"
      class="input is-mono"
      value={draft.value.slug}
      onInput={({ currentTarget: { value: slug } }) => {
        draft.value = { ...draft.value, slug }
      }}
      required
      pattern={slugPattern}
      title="At most 255 letters, digits and . _ ~ -"
      spellcheck={false}
      autocomplete="off"
    />
  )
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
        <VersionForm {...form} submitWord="Create preset" head={slugField} />
      </form>
    </Dialog>
  )
}
