/**
 * The form for a version, with its prompt, settings as JSON, and comment. As the user types, the
 * server previews the version as it would be stored. Nothing is stored before submission.
 */

import { type Signal, useSignal } from "@preact/signals"
import type { components, Options } from "@verbatim/client"
import type { ComponentChildren } from "preact"
import { api, sentenceOf } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { Button } from "../ui/Button.tsx"
import { Pane } from "../ui/Card.tsx"
import { Field, FieldFault, Select } from "../ui/Forms.tsx"
import { useRested } from "../ui/Theme.ts"
import {
  type Format,
  formatJson,
  formatNames,
  readObject,
  toBody,
  type Version
} from "./PresetTraits.ts"

type Preview = components["schemas"]["PresetPreview"]

export interface Draft {
  readonly format: Format
  readonly prompt: string
  readonly settings: string
  readonly comment: string
  /** The names of the settings that override requests, restricted to settings that exist. */
  readonly wins: ReadonlyArray<string>
}

export const emptyDraft: Draft = {
  format: "responses",
  prompt: "",
  settings: `{
  "model": ""
}`,
  comment: "",
  wins: []
}

/** Returns a draft with a version's content. */
export const draftOf = ({ config, format, system_prompt, wins }: Version): Draft => ({
  format,
  prompt: system_prompt ?? "",
  settings: formatJson(config),
  comment: "",
  wins
})

const bodyOf = ({ format, prompt, settings }: Draft) => {
  const read = readObject(settings)
  return "fault" in read ? read : { body: toBody(format, { prompt, config: read.value }) }
}

/** Creates a version. Rejects if the settings are invalid. */
export const makeVersion = (
  slug: string,
  draft: Draft,
  options: Options<"presets.createFromResponses">
) => {
  const read = bodyOf(draft)
  if ("fault" in read) return Promise.reject(new Error(`Settings: ${read.fault}`))
  // The API explains its refusals, so nothing is validated here.
  const body = read.body as never
  const { comment, format } = draft
  const wins = draft.wins.filter((name) => (Reflect.get(read.body, name) ?? null) !== null)
  const all = { ...options, wins, ...(comment === "" ? {} : { comment }) }
  if (format === "responses") return api.presets.createFromResponses(slug, body, all)
  if (format === "messages") return api.presets.createFromMessages(slug, body, all)
  return api.presets.createFromChatCompletions(slug, body, all)
}

/** Returns the server's preview of the version, or the reason why there is no preview. */
const usePreview = (draft: Draft, slug: string | undefined) => {
  const preview = useSignal<Preview | undefined>(undefined)
  const fault = useSignal("")
  const { format, prompt, settings } = draft
  useRested([format, prompt, settings, slug], async (signal) => {
    const read = bodyOf(draft)
    if ("fault" in read) {
      fault.value = read.fault
      return
    }
    try {
      preview.value = await api.presets.preview(read.body, { format, slug, signal })
      fault.value = ""
    } catch (cause) {
      if (signal.aborted) return
      preview.value = undefined
      fault.value = sentenceOf(cause)
    }
  })
  return { preview, fault }
}

/** Shows a preview of the version as it would be stored. */
const Outcome = ({ preview }: { readonly preview: Preview }) => {
  // The messages are only a placeholder, because the form has a separate field for the prompt.
  const ignored = preview.fields.filter(
    ({ fate, name }) => fate === "ignored" && name !== "messages"
  )
  const { changes, variables } = preview
  const changed = changes && [
    ...(changes.system_prompt === null ? [] : ["the prompt"]),
    ...changes.config.map(({ path }) => path.slice(1))
  ]
  return (
    <div class="tip">
      {changed === null ? null : (
        <p>
          {changed.length === 0
            ? "Same content as the live version."
            : `Changes ${changed.join(", ")}.`}
        </p>
      )}
      {variables.length === 0 ? null : (
        <p>Each request supplies values for {variables.join(", ")}.</p>
      )}
      {ignored.map(({ name, reason }) => (
        <p key={name}>
          <code>{name}</code> is not kept: it {reason}.
        </p>
      ))}
    </div>
  )
}

export const FormatField = (props: {
  readonly label: string
  readonly format: Format
  readonly onChange: (format: Format) => void
}) => (
  <Field label={props.label}>
    <Select
      options={Object.entries(formatNames)}
      value={props.format}
      onChange={(format) => props.onChange(format as Format)}
    />
  </Field>
)

interface SettingsProps {
  readonly draft: Draft
  readonly isInvalid: boolean
  readonly set: (part: Partial<Draft>) => void
}

const Settings = ({ draft, isInvalid, set }: SettingsProps) => (
  <>
    <FormatField
      label="Request format"
      format={draft.format}
      onChange={(format) => set({ format })}
    />
    <Field label="Settings (JSON)">
      <textarea
        class="input is-mono"
        rows={8}
        spellcheck={false}
        value={draft.settings}
        aria-invalid={isInvalid}
        aria-describedby="draft-fault"
        onInput={(event) => set({ settings: event.currentTarget.value })}
      />
    </Field>
    <Field label="Comment">
      <input
        class="input"
        maxLength={1_000}
        placeholder="What changed, for readers of the history"
        value={draft.comment}
        onInput={(event) => set({ comment: event.currentTarget.value })}
      />
    </Field>
  </>
)

interface Props<Written extends Draft> {
  readonly draft: Signal<Written>
  readonly fault: Signal<string>
  readonly slug?: string
  readonly submitWord: string
  /** The earlier version's prompt, for comparison. */
  readonly before?: string
  /** Controls to show before the submit button. */
  readonly children?: ComponentChildren
  readonly isBusy: boolean
}

export const VersionForm = <Written extends Draft>(props: Props<Written>) => {
  const { draft, fault, slug } = props
  const { fault: problem, preview } = usePreview(draft.value, slug)
  const set = (part: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...part }
    fault.value = ""
  }
  const shown = fault.value === "" ? problem.value : fault.value
  const { before, children } = props
  const { prompt } = draft.value
  return (
    <>
      <div class="version-fields">
        <Field label="System prompt" class="prompt-field">
          <textarea
            class="input prompt-input"
            dir="auto"
            rows={8}
            value={prompt}
            onInput={(event) => set({ prompt: event.currentTarget.value })}
          />
        </Field>
        <div class="stack">
          <Settings draft={draft.value} isInvalid={shown !== ""} set={set} />
          <FieldFault id="draft-fault" text={shown} />
          {preview.value === undefined || shown !== "" ? null : <Outcome preview={preview.value} />}
          {children}
          <Button class="is-primary is-wide" type="submit" disabled={props.isBusy}>
            {props.submitWord}
          </Button>
        </div>
      </div>
      {before === undefined || before === prompt ? null : (
        <Pane title="Changes to the prompt">
          <TextDiff from={before} to={prompt} />
        </Pane>
      )}
    </>
  )
}
