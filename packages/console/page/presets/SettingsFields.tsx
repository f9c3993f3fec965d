/** Edits settings by form or as JSON. The JSON text is the only state. */
import { useSignal } from "@preact/signals"
import { formatNamed, keptFields } from "@verbatim/resolution"
import { useId, useRef } from "preact/hooks"
import { Button, IconButton } from "../ui/Button.tsx"
import { FieldFault, JsonField, SelectField, Switch, TextField } from "../ui/Forms.tsx"
import { type Format, formatJson, tryObject } from "./PresetTraits.ts"

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
    <TextField
      label={isOther ? `${name} (edited as JSON)` : name}
      // Preact has types for each kind of input, but none for two of them.
      type={(isNumber ? "number" : "text") as "number"}
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
  )
}

type SetValue = (name: string, to: unknown) => void
type AddProps = Readonly<{ usual: ReadonlyArray<string>; onValue: SetValue }>
const AddSetting = ({ onValue, usual }: AddProps) => {
  const row = useRef<HTMLDivElement>(null)
  const id = useId()
  const add = (): void => {
    const [name, text] = row.current?.querySelectorAll("input") ?? []
    if (name === undefined || text === undefined || name.value.trim() === "") return
    onValue(name.value.trim(), readValue(text.value))
    name.value = text.value = ""
  }
  const addOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return
    event.preventDefault()
    add()
  }
  return (
    <div class="inline-form" ref={row}>
      <TextField label="New setting" list={id} autocomplete="off" onKeyDown={addOnEnter} />
      <datalist id={id}>
        {usual.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField label="Value" autocomplete="off" onKeyDown={addOnEnter} />
      <Button icon="plus" onClick={add} word="Add setting" />
    </div>
  )
}

type Props = Readonly<{ format: Format; text: string; fault: string; onText: (to: string) => void }>
export const SettingsFields = ({ fault, format, onText, text }: Props) => {
  const { fault: syntaxFault, value: settings } = tryObject(text)
  const isJson = useSignal(settings === undefined)
  if (settings === undefined || isJson.value) {
    return (
      <>
        {settings && <Switch isOn={isJson}>Edit the settings as JSON</Switch>}
        {!settings && <p class="hint">The form needs valid JSON.</p>}
        <JsonField
          label="Settings (JSON)"
          rows={8}
          fault={fault}
          syntaxFault={syntaxFault}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      </>
    )
  }
  const set = (name: string, to: unknown): void => onText(formatJson({ ...settings, [name]: to }))
  const { model, ...others } = settings
  const names = [...(model === undefined ? [] : ["model"]), ...Object.keys(others)]
  const usual = [...keptFields[formatNamed(format) ?? "responses"]]
  return (
    <>
      <Switch isOn={isJson}>Edit the settings as JSON</Switch>
      {names.map((name) => (
        <div class="inline-form" key={name}>
          <Row name={name} value={settings[name]} onValue={(value) => set(name, value)} />
          <IconButton icon="trash" label={`Remove ${name}`} onClick={() => set(name, undefined)} />
        </div>
      ))}
      <AddSetting usual={usual.filter((name) => !names.includes(name))} onValue={set} />
      <FieldFault text={fault} />
    </>
  )
}
