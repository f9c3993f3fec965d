/** Dialogs and forms, with their fields and submission, and search fields. */
import { type Signal, useSignal } from "@preact/signals"
import {
  type ComponentChildren,
  type ComponentProps,
  createContext,
  type TargetedEvent
} from "preact"
import { useContext, useEffect, useId, useLayoutEffect, useRef } from "preact/hooks"
import { sentenceOf } from "../Api.ts"
import { query, setQuery } from "../Router.ts"
import { Button, Icon, IconButton } from "./Button.tsx"
import { useShortcuts } from "./Shortcuts.ts"
import { useRested } from "./Theme.ts"
import { notify, Toasts } from "./Toasts.tsx"

export const textIn = (form: FormData, field: string) => String(form.get(field) ?? "").trim()

type FieldProps = Readonly<{ label: ComponentChildren; children: ComponentChildren }>
export const Field = (props: FieldProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: its children contain the control
  <label class="field">
    <span class="field-label">{props.label}</span>
    {props.children}
  </label>
)

/** Why the server refused a form, and the name of the field that the refusal is about. */
const Refusal = createContext<{ readonly name?: string | undefined; readonly text: string }>({
  text: ""
})

type TextFieldProps = ComponentProps<"input"> & {
  readonly label: ComponentChildren
  readonly hint?: string
  /** The text to show whenever it changes. A `value` would replace what the user types. */
  readonly shown?: string
}

export const TextField = ({ hint, label, shown, ...props }: TextFieldProps) => {
  const { name, text } = useContext(Refusal)
  const id = useId()
  const field = useFieldText(shown)
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

type SwitchProps = Readonly<{ isOn: Signal<boolean>; children: ComponentChildren }>
export const Switch = ({ children, isOn }: SwitchProps) => (
  <label class="switch bar">
    <input
      type="checkbox"
      checked={isOn.value}
      onChange={({ currentTarget }) => {
        isOn.value = currentTarget.checked
      }}
    />
    {children}
  </label>
)

const useFieldText = (text: string | undefined) => {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const { current } = field
    if (current !== null && text !== undefined && current.value.trim() !== text)
      current.value = text
  }, [text])
  return field
}

interface SelectProps {
  readonly options: ReadonlyArray<readonly [value: string, word: string]>
  readonly label?: string
  readonly name?: string
  readonly value?: string
  readonly onChange?: (value: string) => void
}

export const Select = ({ label, name, onChange, options, value }: SelectProps) => (
  <select
    class="select"
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

export const SelectField = ({ label = "", ...props }: SelectProps) => (
  <Field label={label}>
    <Select {...props} />
  </Field>
)

type JsonFieldProps = ComponentProps<"textarea"> &
  Readonly<{ label: string; fault: string; syntaxFault?: string }>

/** With a syntax fault, the form is not sent, and this field gets the focus. */
export const JsonField = ({ fault, label, syntaxFault = "", ...props }: JsonFieldProps) => {
  const id = useId()
  return (
    <div class="field">
      <Field label={label}>
        <textarea
          class="input is-mono"
          ref={(field) => field?.setCustomValidity(syntaxFault)}
          spellcheck={false}
          aria-invalid={fault !== ""}
          aria-describedby={id}
          {...props}
        />
      </Field>
      <FieldFault id={id} text={fault} />
    </div>
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

interface FormProps {
  readonly action: string
  readonly submit: (form: FormData) => Promise<void>
  readonly onDone?: (() => void) | undefined
  /** Returns the name of the field that a refusal is about. */
  readonly fieldOf?: (refusal: string) => string | undefined
  readonly children: ComponentChildren
}

export const Form = ({ action, children, fieldOf, onDone, submit: send }: FormProps) => {
  const { fault, isBusy, submit } = useSubmission(async (form) => {
    await send(new FormData(form))
    // If the user has closed this form's dialog, another one may be open, which must stay open.
    if (form.isConnected) onDone?.()
  })
  const name = fieldOf?.(fault.value)
  return (
    <form class="stack" onSubmit={submit}>
      <Refusal.Provider value={{ name, text: fault.value }}>{children}</Refusal.Provider>
      <FieldFault text={name === undefined ? fault.value : ""} />
      <Button type="submit" class="is-primary is-wide" aria-disabled={isBusy.value} word={action} />
    </form>
  )
}

type FormDialogProps = FormProps & Readonly<{ title: string; onClose: () => void }>
export const FormDialog = ({ onClose, title, ...form }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form {...form} onDone={onClose} />
  </Dialog>
)

export const useOpening = () => {
  const isOpen = useSignal(false)
  const set = (to: boolean) => (): void => {
    isOpen.value = to
  }
  const toggle = (): void => set(!isOpen.peek())()
  return { isOpen, open: set(true), close: set(false), toggle }
}

/** The fields of a dialog, the first of which gets the focus instead of the close button. */
const fields = ".dialog-body :is(input:not([type=checkbox]), select, textarea)"

export const Dialog = (props: {
  readonly title: string
  readonly onClose: () => void
  readonly isWide?: boolean
  readonly children: ComponentChildren
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isClosed = useRef(false)
  /** The browser restores the focus at once, but fires the close event later. */
  const end = (element: HTMLDialogElement | null): void => {
    isClosed.current = true
    element?.close()
  }
  // When the event fires, the next dialog may already be open, and that dialog must stay open.
  const close = (): void => {
    if (isClosed.current) return
    end(dialog.current)
    props.onClose()
  }
  // A dialog that replaces this one then returns the focus to the same button.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>(fields)?.focus()
    return () => end(element)
  }, [])
  return (
    <dialog
      class={props.isWide === true ? "dialog box is-wide" : "dialog box"}
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClose={close}
    >
      <header class="dialog-head apart">
        <h2 id={id}>{props.title}</h2>
        <IconButton icon="close" label="Close" onClick={close} />
      </header>
      <div class="dialog-body stack">{props.children}</div>
      <Toasts />
    </dialog>
  )
}

type Numbers = Readonly<Record<string, number | null>>
type Labels = Readonly<Record<string, string>>
type NumberFieldsProps = Readonly<{ words: Labels; values?: Numbers; isBusy?: boolean }>
export const NumberFields = (props: NumberFieldsProps) => (
  <>
    {Object.entries(props.words).map(([name, word]) => (
      <TextField
        key={name}
        label={word}
        type="number"
        min={1}
        name={name}
        readOnly={props.isBusy}
        defaultValue={props.values?.[name] ?? ""}
        placeholder="–"
      />
    ))}
  </>
)

export const readNumbers = (form: FormData, words: Labels): Numbers =>
  Object.fromEntries(
    Object.keys(words).map((name) => {
      const text = textIn(form, name)
      return [name, text === "" ? null : Number(text)]
    })
  )

export const NumberForm = (props: {
  readonly words: Labels
  readonly values: Numbers
  readonly hint: string
  /** Saves only the changed numbers, because other operators may have changed the rest since. */
  readonly save: (changed: Numbers) => Promise<void>
}) => {
  const { hint, save, values, words } = props
  const { fault, isBusy, submit } = useSubmission(async (form) => {
    const written = Object.entries(readNumbers(new FormData(form), words))
    await save(Object.fromEntries(written.filter(([name, value]) => value !== values[name])))
    // After the reset, the fields show the server's values.
    form.reset()
  })
  return (
    <form class="inline-form" onSubmit={submit}>
      <NumberFields words={words} values={values} isBusy={isBusy.value} />
      <Button type="submit" aria-disabled={isBusy.value} word="Save" />
      <p class="hint">{hint}</p>
      <FieldFault text={fault.value} />
    </form>
  )
}

interface SearchProps {
  readonly label: string
  readonly shortcut?: string
  readonly placeholder?: string
  readonly pattern?: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
}

export const SearchField = (props: SearchProps) => {
  const { label, onKeyDown, onText, pattern, placeholder = label, shortcut, text } = props
  // The text changes if the user goes back or clears the filters.
  const field = useFieldText(text)
  const typed = useSignal<{ readonly text: string } | undefined>(undefined)
  useRested([typed.value], () => typed.value && onText(typed.value.text))
  const focus = (): void => {
    field.current?.focus()
    field.current?.select()
  }
  useShortcuts(shortcut === undefined ? [] : [{ keys: "/", does: shortcut, run: focus }])
  return (
    <label class="search-field">
      <span class="hidden">{label}</span>
      <Icon name="search" />
      <input
        ref={field}
        class="input"
        type="search"
        placeholder={placeholder}
        pattern={pattern}
        autocomplete="off"
        spellcheck={false}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget: { validity, value } }) => {
          typed.value = validity.valid ? { text: value.trim() } : undefined
        }}
      />
    </label>
  )
}

type QueryProps = Omit<SearchProps, "onText" | "text"> & { readonly name: string }
export const QueryField = ({ name, ...props }: QueryProps) => (
  <SearchField
    {...props}
    text={query.value.get(name) ?? ""}
    onText={(text) => setQuery(name, text)}
  />
)

/** A choice that the address keeps under a name. */
interface Choice<Value> {
  readonly name: string
  /** The values by their words. */
  readonly values: Readonly<Record<string, Value>>
  readonly usual: Value
}

export const chosenIn = <Value,>({ name, usual, values }: Choice<Value>): Value =>
  Object.values(values).find((value) => String(value) === query.value.get(name)) ?? usual

export const Segments = (props: Choice<unknown> & { readonly label: string }) => (
  <fieldset class="segments">
    <legend class="hidden">{props.label}</legend>
    {Object.entries(props.values).map(([word, value]) => (
      <button
        key={word}
        type="button"
        class="segment hint"
        aria-pressed={chosenIn(props) === value}
        onClick={() => setQuery(props.name, value === props.usual ? "" : String(value))}
      >
        {word}
      </button>
    ))}
  </fieldset>
)
