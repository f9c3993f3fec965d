/** A few numbers that may be left empty, changed together. */
import { useSignal } from "@preact/signals"
import { textIn } from "../ui/FormDialog.tsx"

/** Shows the numbers, and saves them. */
export const NumberForm = <Name extends string>(given: {
  readonly names: ReadonlyArray<Name>
  readonly words: Readonly<Record<Name, string>>
  readonly values: Readonly<Record<Name, number | null>>
  readonly hint: string
  readonly save: (values: Record<Name, number | null>) => Promise<string | undefined>
}) => {
  const { names } = given
  const fault = useSignal("")
  const submit = async (form: FormData): Promise<void> => {
    const values = Object.fromEntries(
      names.map((name) => {
        const text = textIn(form, name)
        return [name, text === "" ? null : Number(text)]
      })
    ) as Record<Name, number | null>
    fault.value = (await given.save(values)) ?? ""
  }
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(new FormData(event.currentTarget))
      }}
    >
      {names.map((name) => (
        <label class="field" key={name}>
          <span class="field-label">{given.words[name]}</span>
          <input
            class="input"
            type="number"
            min={0}
            step="any"
            name={name}
            defaultValue={given.values[name] ?? ""}
            placeholder="–"
          />
        </label>
      ))}
      <button type="submit" class="button">
        Save
      </button>
      <p class="hint">{given.hint}</p>
      <p class="field-fault" role="alert">
        {fault.value}
      </p>
    </form>
  )
}
