/**
 * The form for a version, with its prompt, settings as JSON, and comment. As the user types, the
 * server previews the version as it would be stored. Nothing is stored before submission.
 */

import { type Signal, useSignal } from "@preact/signals"
import type { components, Options } from "@verbatim/client"
import { mistakenVariables, variableRule, variablesOf } from "@verbatim/resolution"
import type { ComponentChildren } from "preact"
import { api, sentenceOf } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { linkTo } from "../Router.ts"
import { Button } from "../ui/Button.tsx"
import { Pane } from "../ui/Card.tsx"
import { Field, FieldFault, Select } from "../ui/Forms.tsx"
import { useRested } from "../ui/Theme.ts"
import {
  type Format,
  fieldName,
  formatJson,
  formatNames,
  readObject,
  toBody,
  type Version,
  versionName,
  versionPath
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
const usePreview = (draft: Draft, { live, slug }: Pick<Props<Draft>, "live" | "slug">) => {
  const preview = useSignal<Preview | undefined>(undefined)
  const fault = useSignal("")
  const { format, prompt, settings } = draft
  useRested([format, prompt, settings, slug, live?.version], async (signal) => {
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

/** Lists what differs from the live version. */
const changesOf = (
  { config, format, system_prompt: prompt }: NonNullable<Preview["changes"]>,
  { draft, live }: Pick<OutcomeProps, "draft" | "live">
): ReadonlyArray<string> => [
  ...(format === null ? [] : ["the request format"]),
  ...(prompt === null ? [] : ["the prompt"]),
  ...((live?.wins ?? draft.wins).join() === draft.wins.join()
    ? []
    : ["the fields that override requests"]),
  ...config.map(({ is_order: isOrder, path }) => {
    const name = path === "" ? "the settings" : fieldName(path)
    return isOrder ? `the order of ${name}` : name
  })
]

/** Lists the settings that the request's prompt or messages replace. */
const replacedSettings = (draft: Draft): ReadonlyArray<string> => {
  const read = readObject(draft.settings)
  if ("fault" in read) return []
  const body = toBody(draft.format, { prompt: draft.prompt, config: read.value })
  return Object.keys(read.value).filter((name) => body[name] !== read.value[name])
}

interface OutcomeProps {
  readonly draft: Draft
  readonly live: LiveVersion | undefined
  readonly slug: string | undefined
  readonly preview: Preview
}

/** Shows a preview of the version as it would be stored. */
const Outcome = ({ draft, live, preview, slug = "" }: OutcomeProps) => {
  // The messages are only a placeholder, because the form has a separate field for the prompt.
  const ignored = preview.fields.filter(
    ({ fate, name }) => fate === "ignored" && name !== "messages"
  )
  const replaced = replacedSettings(draft)
  const { changes, variables } = preview
  const changed = changes && changesOf(changes, { draft, live })
  const unused = variablesOf(live?.system_prompt ?? null).filter(
    (name) => !variables.includes(name)
  )
  return (
    <>
      {changes === null && variables.length === 0 ? null : (
        <div class="tip">
          {changes === null ? null : (
            <p>
              {changed?.length === 0 ? "Same content as " : "Changes to "}
              <a href={linkTo(versionPath(slug, changes.from))}>{versionName(changes.from)}</a>,
              which is live{changed?.length === 0 ? "." : `: ${changed?.join(", ")}.`}
            </p>
          )}
          {variables.length === 0 ? null : (
            <p>Each request supplies values for {variables.join(", ")}.</p>
          )}
          {unused.length === 0 ? null : <p>No longer used: {unused.join(", ")}.</p>}
        </div>
      )}
      {ignored.length + replaced.length === 0 ? null : (
        <div class="note">
          {ignored.map(({ name, reason }) => (
            <p key={name}>
              <code>{name}</code> is not kept: it {reason}.
            </p>
          ))}
          {replaced.map((name) => (
            <p key={name}>
              <code>{name}</code> is not kept: the prompt has its own field.
            </p>
          ))}
        </div>
      )}
    </>
  )
}

/** Maximum number of mistaken variables to show. */
const mistakenMax = 5

/** Explains which parts of a prompt look like variables, but are not. */
const MistakenVariables = ({ prompt }: { readonly prompt: string }) => {
  const mistaken = mistakenVariables(prompt).slice(0, mistakenMax)
  return mistaken.length === 0 ? null : (
    <p class="note" role="status">
      Not a variable: <code>{mistaken.join(", ")}</code>. {variableRule}
    </p>
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
  /** Why the settings are invalid. */
  readonly problem: string
  readonly set: (part: Partial<Draft>) => void
}

const Settings = ({ draft, problem, set }: SettingsProps) => (
  <>
    <FormatField
      label="Request format"
      format={draft.format}
      onChange={(format) => set({ format })}
    />
    <div>
      <Field label="Settings (JSON)">
        <textarea
          class="input is-mono"
          rows={8}
          spellcheck={false}
          value={draft.settings}
          aria-invalid={problem !== ""}
          aria-describedby="settings-fault"
          onInput={(event) => set({ settings: event.currentTarget.value })}
        />
      </Field>
      <FieldFault id="settings-fault" text={problem} />
    </div>
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

/** The live version, for comparison. Its `wins` are unknown if it was not loaded completely. */
type LiveVersion = Pick<Version, "system_prompt" | "version"> & Partial<Pick<Version, "wins">>

interface Props<Written extends Draft> {
  readonly draft: Signal<Written>
  readonly fault: Signal<string>
  readonly slug?: string
  readonly submitWord: string
  readonly live?: LiveVersion
  /** Controls to show before the submit button. */
  readonly children?: ComponentChildren
  readonly isBusy: boolean
}

export const VersionForm = <Written extends Draft>(props: Props<Written>) => {
  const { children, draft, fault, live, slug } = props
  const { fault: problem, preview } = usePreview(draft.value, props)
  const set = (part: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...part }
    fault.value = ""
  }
  const { prompt } = draft.value
  const isPreviewed = preview.value !== undefined && problem.value === ""
  return (
    <>
      <div class="version-fields stack">
        <div class="prompt-field stack">
          <Field label="System prompt">
            <textarea
              class="input prompt-input"
              dir="auto"
              rows={8}
              value={prompt}
              onInput={(event) => set({ prompt: event.currentTarget.value })}
            />
          </Field>
          <MistakenVariables prompt={prompt} />
        </div>
        <div class="stack">
          <Settings draft={draft.value} problem={problem.value} set={set} />
          {isPreviewed && preview.value !== undefined ? (
            <Outcome draft={draft.value} live={live} slug={slug} preview={preview.value} />
          ) : null}
          {children}
          <FieldFault text={problem.value === "" ? fault.value : ""} />
          <Button class="is-primary is-wide" type="submit" aria-disabled={props.isBusy}>
            {props.submitWord}
          </Button>
        </div>
      </div>
      {live === undefined || (live.system_prompt ?? "") === prompt ? null : (
        <Pane
          title={
            <span>
              Changes to the prompt of{" "}
              <a href={linkTo(versionPath(slug ?? "", live.version))}>
                {versionName(live.version)}
              </a>
            </span>
          }
        >
          <TextDiff from={live.system_prompt ?? ""} to={prompt} />
        </Pane>
      )}
    </>
  )
}
