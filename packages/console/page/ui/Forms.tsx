/** Forms: their fields, what sends them once at a time, and dialogs that ask for something. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren, TargetedEvent } from "preact"
import { sentenceOf } from "../Api.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { usePresence } from "./Theme.ts"
import { notify } from "./Toasts.tsx"

/** What was written into a field of a form. */
export const textIn = (form: FormData, field: string): string =>
  String(form.get(field) ?? "").trim()

/** Shows a field below its name. */
export const Field = (given: {
  readonly label: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: what it is given holds the control
  <label class={`field ${given.class ?? ""}`.trim()}>
    <span class="field-label">{given.label}</span>
    {given.children}
  </label>
)

/**
 * Sends a form, and not twice at a time. What `send` rejects with is shown in its form, or as a
 * message where the form has gone meanwhile.
 */
export const useSubmission = (send: (form: HTMLFormElement) => Promise<void>) => {
  const fault = useSignal("")
  const isBusy = useSignal(false)
  const isThere = usePresence()
  const run = async (form: HTMLFormElement): Promise<void> => {
    if (isBusy.value) return
    isBusy.value = true
    try {
      await send(form)
      fault.value = ""
    } catch (cause) {
      fault.value = sentenceOf(cause)
      if (!isThere()) notify(fault.value, { isFault: true })
    }
    isBusy.value = false
  }
  return {
    fault,
    isBusy,
    /** Whether the form is still shown: another one may be in its place. */
    isThere,
    submit: (event: TargetedEvent<HTMLFormElement>): void => {
      event.preventDefault()
      void run(event.currentTarget)
    }
  }
}

/** Shows the fields for as long as it is there; it closes when all is well. */
export const FormDialog = (given: {
  readonly title: string
  readonly onClose: () => void
  /** What its button says. */
  readonly action: string
  /** Takes what was filled in. */
  readonly submit: (form: FormData) => Promise<void>
  readonly children: ComponentChildren
}) => {
  const { fault, isBusy, isThere, submit } = useSubmission(async (form) => {
    await given.submit(new FormData(form))
    // Whoever did not wait for it may have opened the next one, which must stay.
    if (isThere()) given.onClose()
  })
  return (
    <Dialog title={given.title} onClose={given.onClose}>
      <form class="form stack" onSubmit={submit}>
        {given.children}
        <p class="field-fault bar" role="alert">
          {fault.value}
        </p>
        <Button type="submit" class="is-primary is-wide" disabled={isBusy.value}>
          {given.action}
        </Button>
      </form>
    </Dialog>
  )
}
