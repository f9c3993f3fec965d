/** The form for a new key, and the dialog that shows its secret once. */
import { Button } from "../ui/Button.tsx"
import { copyText } from "../ui/Card.tsx"
import { Dialog, FormDialog, NumberFields, readNumbers, TextField, textIn } from "../ui/Forms.tsx"
import { type IssuedKey, type KeyCalls, type KeyOrder, limitWords } from "./KeyCalls.ts"

const scopes: Readonly<Record<string, string>> = {
  "transcriptions:read": "Read jobs and transcripts",
  "transcriptions:write": "Upload recordings, change and delete jobs",
  "presets:read": "Read and resolve presets",
  "presets:write": "Change presets (management keys)",
  "usage:read": "Read usage"
}

/** Returns the words for a scope. The scope of a label keeps its name on the wire. */
export const scopeWords = (scope: string): string => scopes[scope] ?? scope

export const Secret = ({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) => (
  <Dialog title="Your new key" onClose={onClose}>
    <p>This key is shown only once. If you lose it, create another one and revoke this one.</p>
    <p class="tip">
      <code>{issued.token}</code>
    </p>
    <Button class="is-primary" icon="copy" onClick={() => void copyText(issued.token)}>
      Copy key
    </Button>
  </Dialog>
)

const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()

const readOrder = (form: FormData): KeyOrder => {
  const chosen = form.getAll("scope") as NonNullable<KeyOrder["scopes"]>
  const name = textIn(form, "name")
  const lastDay = textIn(form, "last_day")
  const user = textIn(form, "user") || name
  return {
    kind: textIn(form, "kind") as KeyOrder["kind"],
    limits: readNumbers(form, limitWords),
    ...(lastDay === "" ? {} : { expires_at: endOf(lastDay) }),
    ...(name === "" ? {} : { name }),
    ...(user === "" ? {} : { user }),
    ...(chosen.length === 0 ? {} : { scopes: chosen })
  }
}

const kinds = {
  inference: "Inference: can transcribe and read presets",
  management: "Management: can also change presets and keys"
}

export const NewKey = (props: {
  readonly calls: KeyCalls
  readonly onIssued: (issued: IssuedKey) => void
  readonly onClose: () => void
}) => {
  const submit = async (form: FormData): Promise<void> =>
    props.onIssued(await props.calls.issue(readOrder(form)))
  return (
    <FormDialog title="New key" action="Create key" submit={submit} onClose={props.onClose}>
      <TextField label="Name" name="name" maxLength={255} placeholder="Upload service" />
      <TextField
        label="Person"
        hint="Shown as the author of what the key changes. Empty: the key's name."
        name="user"
        maxLength={255}
      />
      <fieldset class="stack-2">
        <legend class="field-label">Kind</legend>
        {Object.entries(kinds).map(([kind, word]) => (
          <label class="switch bar" key={kind}>
            <input type="radio" name="kind" value={kind} defaultChecked={kind === "inference"} />
            {word}
          </label>
        ))}
      </fieldset>
      <fieldset class="stack-2">
        <legend class="field-label">Scopes</legend>
        <p class="hint">If none is selected, the key can do everything that its kind allows.</p>
        {Object.entries(scopes).map(([scope, word]) => (
          <label class="switch bar" key={scope}>
            <input type="checkbox" name="scope" value={scope} />
            {word}
          </label>
        ))}
      </fieldset>
      <TextField
        label="Last valid day"
        hint="The key expires at the end of this day. Empty: the key never expires."
        type="date"
        name="last_day"
        max="9999-12-31"
      />
      <fieldset class="stack-2">
        <legend class="field-label">Limits</legend>
        <p class="hint">These apply in addition to the workspace's limits. Empty: no limit.</p>
        <div class="field-pair">
          <NumberFields words={limitWords} />
        </div>
      </fieldset>
    </FormDialog>
  )
}
