/** Making a key: what it is for, and then its secret, which is shown once. */

import { Button } from "../ui/Button.tsx"
import { copyText } from "../ui/Copy.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Field, FormDialog, textIn } from "../ui/Forms.tsx"
import type { IssuedKey, KeyCalls, KeyOrder } from "./KeyCalls.ts"

/** What may be left out of a kind. */
const scopes = [
  { scope: "transcriptions:read", word: "Read jobs and transcripts" },
  { scope: "transcriptions:write", word: "Hand recordings in, change and delete jobs" },
  { scope: "presets:read", word: "Read and resolve presets" },
  { scope: "presets:write", word: "Change presets (management keys)" },
  { scope: "usage:read", word: "Read usage" }
] as const

/** Shows the secret of a key that was just made. */
export const Secret = ({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) => (
  <Dialog title="The new key" onClose={onClose}>
    <p>
      This is the only time that it is shown. Whoever loses it makes another one and revokes this.
    </p>
    <p class="secret">
      <code>{issued.token}</code>
    </p>
    <Button class="is-primary" icon="copy" onClick={() => void copyText(issued.token)}>
      Copy the key
    </Button>
  </Dialog>
)

const readOrder = (form: FormData): KeyOrder => {
  const chosen = form.getAll("scope").map(String)
  const kind = form.get("kind") === "management" ? "management" : "inference"
  const name = textIn(form, "name")
  return {
    kind,
    ...(name === "" ? {} : { name }),
    ...(chosen.length === 0 ? {} : { scopes: chosen as NonNullable<KeyOrder["scopes"]> })
  }
}

const Kind = () => (
  <fieldset class="choices stack-2">
    <legend class="field-label">Kind</legend>
    <label class="switch bar">
      <input type="radio" name="kind" value="inference" checked />
      Inference: transcribes, and reads presets
    </label>
    <label class="switch bar">
      <input type="radio" name="kind" value="management" />
      Management: changes presets and keys too
    </label>
  </fieldset>
)

/** Asks for what the key is for. */
export const NewKey = (given: {
  readonly calls: KeyCalls
  readonly onIssued: (issued: IssuedKey) => void
  readonly onClose: () => void
}) => {
  const submit = async (form: FormData): Promise<void> =>
    given.onIssued(await given.calls.issue(readOrder(form)))
  return (
    <FormDialog title="New key" action="Make the key" submit={submit} onClose={given.onClose}>
      <Field label="Name">
        <input class="input" name="name" maxLength={255} placeholder="Upload service" />
      </Field>
      <Kind />
      <fieldset class="choices stack-2">
        <legend class="field-label">Only this</legend>
        <p class="hint">Nothing chosen: all that the kind may do.</p>
        {scopes.map(({ scope, word }) => (
          <label class="switch bar" key={scope}>
            <input type="checkbox" name="scope" value={scope} />
            {word}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
}
