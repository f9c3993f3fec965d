/** Edits settings by form or as JSON. The JSON text is the only state. */
import { useSignal } from "@preact/signals"
import { formatNamed, keptFields } from "@verbatim/resolution"
import { useId, useRef } from "preact/hooks"
import { sentenceOf } from "../Api.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Field, FieldFault, JsonField, SelectField, Switch } from "../ui/Forms.tsx"
import { type Format, formatJson, readObject } from "./PresetTraits.ts"

type Settings = Record<string, unknown>
const read = (text: string): { readonly settings?: Settings; readonly fault: string } => {
  try {
    return { settings: readObject(text), fault: "" }
  } catch (cause) {
    return { fault: sentenceOf(cause) }
  }
}

/** Reads numbers, `true`, `null`, lists and objects as JSON, and everything else as text. */
const readValue = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const truths = ["true", "false"].map((word) => [word, word] as const)
type RowProps = Readonly<{ name: string; value: unknown; onValue: (value: unknown) => void }>
const Row = ({ name, onValue, value }: RowProps) => {
  // An unfinished number, such as `0.`, stays in the field until the focus leaves it.
  const typed = useSignal<string | undefined>(undefined)
  if (typeof value === "boolean") {
    const choose = (word: string): void => onValue(word === "true")
    return <SelectField label={name} options={truths} value={`${value}`} onChange={choose} />
  }
  const isNumber = typeof value === "number"
  const isText = typeof value === "string" && !value.includes("\n")
  const isOther = !(isNumber || isText)
  return (
    <Field label={isOther ? `${name} (edited as JSON)` : name}>
      <input
        class="input"
        {...({ type: isNumber ? "number" : "text" } as { type: "number" })}
        step="any"
        required={isNumber}
        readOnly={isOther}
        value={typed.value ?? (isOther ? JSON.stringify(value) : String(value))}
        onInput={({ currentTarget: { value: text } }) => {
          typed.value = text
          if (!isNumber || text !== "") onValue(isNumber ? Number(text) : text)
        }}
        onBlur={() => {
          typed.value = undefined
        }}
      />
    </Field>
  )
}

interface RowsProps {
  readonly settings: Settings
  readonly format: Format
  /** Sets a setting or, if the value is undefined, removes it. */
  readonly onValue: (name: string, value: unknown) => void
}

const AddSetting = ({ format, onValue, settings }: RowsProps) => {
  const row = useRef<HTMLDivElement>(null)
  const id = useId()
  const usual = [...keptFields[formatNamed(format) ?? "responses"]]
  const add = (): void => {
    const [name, text] = row.current?.querySelectorAll("input") ?? []
    const added = name?.value.trim() ?? ""
    if (name === undefined || text === undefined || added === "") return
    if (!Object.hasOwn(settings, added)) onValue(added, readValue(text.value))
    name.value = text.value = ""
  }
  const addOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    add()
  }
  return (
    <div class="inline-form" ref={row}>
      <Field label="New setting">
        <input class="input" list={id} autocomplete="off" onKeyDown={addOnEnter} />
      </Field>
      <datalist id={id}>
        {usual.map((each) => Object.hasOwn(settings, each) || <option key={each} value={each} />)}
      </datalist>
      <Field label="Value">
        <input class="input" autocomplete="off" onKeyDown={addOnEnter} />
      </Field>
      <Button icon="plus" onClick={add} word="Add setting" />
    </div>
  )
}

const Rows = (props: RowsProps) => {
  const { onValue, settings } = props
  const { model, ...others } = settings
  const names = [...(model === undefined ? [] : ["model"]), ...Object.keys(others)]
  return (
    <>
      {names.map((name) => (
        <div class="inline-form" key={name}>
          <Row name={name} value={settings[name]} onValue={(value) => onValue(name, value)} />
          <IconButton icon="trash" label={`Remove ${name}`} onClick={() => onValue(name, void 0)} />
        </div>
      ))}
      <AddSetting {...props} />
    </>
  )
}

type Props = Readonly<{ format: Format; text: string; fault: string; onText: (to: string) => void }>
export const SettingsFields = ({ fault, format, onText, text }: Props) => {
  const { fault: syntaxFault, settings } = read(text)
  const isJson = useSignal(settings === undefined)
  const set = (name: string, to: unknown): void => onText(formatJson({ ...settings, [name]: to }))
  return (
    <>
      {settings === undefined ? (
        <p class="hint">The form needs valid JSON.</p>
      ) : (
        <Switch isOn={isJson}>Edit the settings as JSON</Switch>
      )}
      {settings === undefined || isJson.value ? (
        <JsonField
          label="Settings (JSON)"
          rows={8}
          fault={fault}
          syntaxFault={syntaxFault}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      ) : (
        <>
          <Rows format={format} settings={settings} onValue={set} />
          <FieldFault text={fault} />
        </>
      )}
    </>
  )
}
