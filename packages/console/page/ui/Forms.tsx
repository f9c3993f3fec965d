/** Parts of forms: fields, submission, and dialogs. */
import { useSignal } from "@preact/signals"
import {
  type ComponentChildren,
  type ComponentProps,
  createContext,
  type TargetedEvent
} from "preact"
import { useContext, useEffect, useId, useLayoutEffect, useRef } from "preact/hooks"
import { sentenceOf } from "../Api.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { Icon } from "./Icon.tsx"
import { notify } from "./Toasts.tsx"

export const textIn = (form: FormData, field: string): string =>
  String(form.get(field) ?? "").trim()

export const Field = (props: {
  readonly label: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: its children contain the control
  <label class={`field ${props.class ?? ""}`.trim()}>
    <span class="field-label">{props.label}</span>
    {props.children}
  </label>
)

/** Why the server refused a form, and the name of the field that the refusal is about. */
const Refusal = createContext<{ readonly name?: string | undefined; readonly text: string }>({
  text: ""
})

type TextFieldProps = ComponentProps<"input"> & {
  readonly label: string
  readonly hint?: string
}

/** Shows an input with its label, its hint, and the form's refusal if that is about the input. */
export const TextField = ({ hint, label, ...props }: TextFieldProps) => {
  const { name, text } = useContext(Refusal)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const fault = name !== undefined && name === props.name ? text : ""
  useEffect(() => {
    if (fault !== "") field.current?.focus()
  }, [fault])
  return (
    <div class="field">
      <Field label={label}>
        <input
          class="input"
          ref={field}
          aria-describedby={`${id}-hint ${id}-fault`}
          aria-invalid={fault !== ""}
          {...props}
        />
      </Field>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && <FieldFault id={`${id}-fault`} text={fault} />}
    </div>
  )
}

/** Shows a text in a field when it changes. A `value` would replace what the user types. */
export const useFieldText = (text: string) => {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const { current } = field
    if (current !== null && current.value.trim() !== text) current.value = text
  }, [text])
  return field
}

export const Select = (props: {
  readonly options: ReadonlyArray<readonly [value: string, word: string]>
  readonly label?: string
  readonly name?: string
  readonly class?: string
  readonly value?: string
  readonly onChange?: (value: string) => void
}) => {
  const { class: look = "", label, name, onChange, options, value } = props
  return (
    <select
      class={`select ${look}`.trim()}
      aria-label={label}
      name={name}
      value={value}
      onChange={(event) => onChange?.(event.currentTarget.value)}
    >
      {options.map(([option, word]) => (
        <option key={option} value={option}>
          {word}
        </option>
      ))}
    </select>
  )
}

export const FieldFault = ({ id, text }: { readonly text: string; readonly id?: string }) => (
  <p class="field-fault bar" id={id} role="alert">
    {text === "" ? null : <Icon name="alert" />}
    {text}
  </p>
)

/** An error goes to `onFault` or else into the form, or a message if the form is closed. */
export const useSubmission = (
  send: (form: HTMLFormElement) => Promise<void>,
  onFault?: (cause: unknown) => void
) => {
  const fault = useSignal("")
  const isBusy = useSignal(false)
  const run = async (form: HTMLFormElement): Promise<void> => {
    if (isBusy.value) return
    isBusy.value = true
    fault.value = ""
    try {
      await send(form)
    } catch (cause) {
      fault.value = sentenceOf(cause)
      if (onFault !== undefined) onFault(cause)
      else if (!form.isConnected) notify(fault.value, { isFault: true })
    }
    isBusy.value = false
  }
  return {
    fault,
    isBusy,
    submit: (event: TargetedEvent<HTMLFormElement>): void => {
      event.preventDefault()
      void run(event.currentTarget)
    }
  }
}

export const FormDialog = (props: {
  readonly title: string
  readonly onClose: () => void
  readonly action: string
  readonly submit: (form: FormData) => Promise<void>
  readonly fieldOf?: (refusal: string) => string | undefined
  readonly children: ComponentChildren
}) => {
  const { fault, isBusy, submit } = useSubmission(async (form) => {
    await props.submit(new FormData(form))
    // If the user has closed this dialog, another one may be open, which must stay open.
    if (form.isConnected) props.onClose()
  })
  const name = props.fieldOf?.(fault.value)
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <Refusal.Provider value={{ name, text: fault.value }}>{props.children}</Refusal.Provider>
        <FieldFault text={name === undefined ? fault.value : ""} />
        <Button type="submit" class="is-primary is-wide" aria-disabled={isBusy.value}>
          {props.action}
        </Button>
      </form>
    </Dialog>
  )
}
