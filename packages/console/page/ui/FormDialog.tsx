/** A dialog that asks for something: it says what is wrong with it, and closes when all is well. */

import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { usePresence } from "./Theme.ts"
import { notify } from "./Toasts.tsx"

/** What was written into a field of a form. */
export const textIn = (form: FormData, field: string): string =>
  String(form.get(field) ?? "").trim()

/** Shows the fields for as long as it is there. */
export const FormDialog = (given: {
  readonly title: string
  readonly onClose: () => void
  /** What its button says. */
  readonly action: string
  /** Takes what was filled in, and says what is wrong with it, if something is. */
  readonly submit: (form: FormData) => Promise<string | undefined>
  readonly children: ComponentChildren
}) => {
  const fault = useSignal("")
  const isBusy = useSignal(false)
  const isThere = usePresence()
  const submit = async (form: FormData): Promise<void> => {
    isBusy.value = true
    const wrong = await given.submit(form)
    isBusy.value = false
    fault.value = wrong ?? ""
    // Whoever did not wait for it may have opened the next one, which must stay.
    if (wrong === undefined && isThere()) given.onClose()
    if (wrong !== undefined && !isThere()) notify(wrong, { isFault: true })
  }
  return (
    <Dialog title={given.title} onClose={given.onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        {given.children}
        <p class="field-fault" role="alert">
          {fault.value}
        </p>
        <Button look="is-primary is-wide" type="submit" disabled={isBusy.value}>
          {given.action}
        </Button>
      </form>
    </Dialog>
  )
}
