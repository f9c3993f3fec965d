/**
 * What a version is made of: a prompt, settings as JSON, and a comment. While it is written, the
 * server is asked what would be kept of it; nothing is stored until it is sent.
 */

import type { Signal } from "@preact/signals"
import { useSignal } from "@preact/signals"
import type { components, Options } from "@verbatim/client"
import { useEffect } from "preact/hooks"
import { api, sentenceOf } from "../Api.ts"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Forms.tsx"
import { Icon } from "../ui/Icon.tsx"
import {
  type Format,
  formatNames,
  readObject,
  toBody,
  type Version,
  writeJson
} from "./PresetTraits.ts"

type Preview = components["schemas"]["PresetPreview"]

/** A version that is being written. */
export interface Draft {
  readonly format: Format
  readonly prompt: string
  readonly settings: string
  readonly comment: string
  /** Those that the settings still have win over requests. */
  readonly wins: ReadonlyArray<string>
}

/** A draft to begin with. */
export const emptyDraft: Draft = {
  format: "responses",
  prompt: "",
  settings: `{
  "model": ""
}`,
  comment: "",
  wins: []
}

/** A draft that begins as a version is. */
export const draftOf = ({ config, format, system_prompt, wins }: Version): Draft => ({
  format,
  prompt: system_prompt ?? "",
  settings: writeJson(config),
  comment: "",
  wins
})

const bodyOf = ({ format, prompt, settings }: Draft) => {
  const read = readObject(settings)
  return "fault" in read ? read : { body: toBody(format, { prompt, config: read.value }) }
}

/** Makes a version; a draft that is no request rejects. */
export const makeVersion = (
  slug: string,
  draft: Draft,
  options: Options<"presets.createFromResponses">
) => {
  const read = bodyOf(draft)
  if ("fault" in read) return Promise.reject(new Error(`Settings: ${read.fault}`))
  // What the API refuses it refuses in a sentence: nothing is judged twice.
  const body = read.body as never
  const { comment, format } = draft
  const wins = draft.wins.filter((name) => (Reflect.get(read.body, name) ?? null) !== null)
  const all = { ...options, wins, ...(comment === "" ? {} : { comment }) }
  if (format === "responses") return api.presets.createFromResponses(slug, body, all)
  if (format === "messages") return api.presets.createFromMessages(slug, body, all)
  return api.presets.createFromChatCompletions(slug, body, all)
}

/** The server is asked when somebody has stopped writing. */
const restMillis = 350

const usePreview = (draft: Draft, slug: string | undefined) => {
  const preview = useSignal<Preview | undefined>(undefined)
  const fault = useSignal("")
  const { format, prompt, settings } = draft
  useEffect(() => {
    const read = bodyOf(draft)
    if ("fault" in read) {
      fault.value = read.fault
      return
    }
    const controller = new AbortController()
    const ask = async (): Promise<void> => {
      const { signal } = controller
      try {
        preview.value = await api.presets.preview(read.body, { format, slug, signal })
        fault.value = ""
      } catch (cause) {
        if (signal.aborted) return
        preview.value = undefined
        fault.value = sentenceOf(cause)
      }
    }
    const timer = setTimeout(() => void ask(), restMillis)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [format, prompt, settings, slug])
  return { preview, fault }
}

/** What would become of the draft, before it is stored. */
const Outcome = ({ preview }: { readonly preview: Preview }) => {
  // Messages are ours: the form has a field for the prompt.
  const ignored = preview.fields.filter(
    ({ fate, name }) => fate === "ignored" && name !== "messages"
  )
  const { changes, variables } = preview
  const changed =
    changes === null
      ? undefined
      : [
          ...(changes.system_prompt === null ? [] : ["the prompt"]),
          ...changes.config.map(({ path }) => path.slice(1))
        ]
  return (
    <div class="outcome">
      {changed === undefined ? null : (
        <p>
          {changed.length === 0
            ? "It says the same as the designated version."
            : `It changes ${changed.join(", ")}.`}
        </p>
      )}
      {variables.length === 0 ? null : <p>Each request gives values of {variables.join(", ")}.</p>}
      {ignored.map(({ name, reason }) => (
        <p key={name}>
          <code>{name}</code> is not kept: it {reason}.
        </p>
      ))}
    </div>
  )
}

/** Shows the choice of a request format. */
export const FormatField = (given: {
  readonly label: string
  readonly format: Format
  readonly onChange: (format: Format) => void
}) => (
  <Field label={given.label}>
    <select
      class="select"
      value={given.format}
      onChange={(event) => given.onChange(event.currentTarget.value as Format)}
    >
      {Object.entries(formatNames).map(([format, name]) => (
        <option key={format} value={format}>
          {name}
        </option>
      ))}
    </select>
  </Field>
)

const Problem = ({ text }: { readonly text: string }) => (
  <p class="field-fault bar" id="draft-fault" role="alert">
    {text === "" ? null : (
      <>
        <Icon name="alert" />
        {text}
      </>
    )}
  </p>
)

interface Given<Written extends Draft> {
  readonly draft: Signal<Written>
  readonly fault: Signal<string>
  readonly slug?: string
  readonly submitWord: string
  /** It is being sent. */
  readonly isBusy: boolean
}

/** Shows the fields of a draft, and what sends it. */
export const VersionForm = <Written extends Draft>(given: Given<Written>) => {
  const { draft, fault, slug } = given
  const { fault: problem, preview } = usePreview(draft.value, slug)
  const set = (part: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...part }
    fault.value = ""
  }
  const shown = fault.value === "" ? problem.value : fault.value
  return (
    <>
      <FormatField
        label="Format of the request"
        format={draft.value.format}
        onChange={(format) => set({ format })}
      />
      <Field label="System prompt">
        <textarea
          class="input prompt-input"
          dir="auto"
          rows={8}
          value={draft.value.prompt}
          onInput={(event) => set({ prompt: event.currentTarget.value })}
        />
      </Field>
      <Field label="Settings, as JSON">
        <textarea
          class="input is-mono"
          rows={8}
          spellcheck={false}
          value={draft.value.settings}
          aria-invalid={shown !== ""}
          aria-describedby="draft-fault"
          onInput={(event) => set({ settings: event.currentTarget.value })}
        />
      </Field>
      <Field label="Comment">
        <input
          class="input"
          maxLength={1_000}
          placeholder="What is new, for whoever reads the history"
          value={draft.value.comment}
          onInput={(event) => set({ comment: event.currentTarget.value })}
        />
      </Field>
      <Problem text={shown} />
      {preview.value === undefined || shown !== "" ? null : <Outcome preview={preview.value} />}
      <div class="form-end">
        <Button class="is-primary" type="submit" disabled={given.isBusy}>
          {given.submitWord}
        </Button>
      </div>
    </>
  )
}
