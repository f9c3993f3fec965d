/** The form for a version, which the server previews. The draft is kept if the form is closed. */
import { effect, useSignal } from "@preact/signals"
import type { Answer, CreatedPreset, Options } from "@verbatim/client"
import { mistakenVariables, variableRule, variablesOf } from "@verbatim/resolution"
import type { ComponentChildren, TargetedEvent } from "preact"
import { useLayoutEffect, useMemo } from "preact/hooks"
import { api, sentenceOf } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { openDraft } from "../session/Drafts.ts"
import { Button } from "../ui/Button.tsx"
import { Pane } from "../ui/Card.tsx"
import { Field, FieldFault, SelectField, TextField, useSubmission } from "../ui/Forms.tsx"
import { makeIdempotencyKeys } from "../ui/RepeatGuard.ts"
import { useRested } from "../ui/Theme.ts"
import { VersionLink } from "./PointField.tsx"
import {
  type Format,
  fieldName,
  formatJson,
  formatNames,
  formatValue,
  readObject,
  toBody,
  type Version
} from "./PresetTraits.ts"
import { SettingsFields } from "./SettingsFields.tsx"

export interface Draft {
  readonly format: Format
  readonly prompt: string
  readonly settings: string
  readonly comment: string
  /** The names of the settings that override requests, restricted to settings that exist. */
  readonly wins: ReadonlyArray<string>
}

type Content = Pick<Version, "config" | "format" | "system_prompt"> & Pick<Draft, "wins">
export const draftOf = ({ config, format, system_prompt: prompt, wins }: Content): Draft => {
  return { format, wins, prompt: prompt ?? "", settings: formatJson(config), comment: "" }
}

const bodyOf = ({ format, prompt, settings }: Draft) =>
  toBody(format, { prompt, config: readObject(settings) })

export const makeVersion = async (
  slug: string,
  draft: Draft,
  options: Options<"presets.createFromResponses">
): Promise<CreatedPreset> => {
  // The API explains its refusals. The form validates the syntax.
  const body = bodyOf(draft) as never
  const { comment, format } = draft
  const wins = draft.wins.filter((name) => (Reflect.get(body, name) ?? null) !== null)
  const all = { ...options, wins, comment: comment || undefined }
  if (format === "responses") return api.presets.createFromResponses(slug, body, all)
  if (format === "messages") return api.presets.createFromMessages(slug, body, all)
  return api.presets.createFromChatCompletions(slug, body, all)
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

interface DraftOptions<Written> {
  readonly name: string
  readonly begin: Written
  /** Creates the version. Equal content gets the same idempotency key. */
  readonly make: (sent: Written, keyFor: (content: unknown) => string) => Promise<CreatedPreset>
  /** Called afterwards. Another form may be mounted by then. */
  readonly onMade: (made: CreatedPreset, isMounted: () => boolean) => Promise<void>
}

export const useDraft = <Written extends Draft>(options: DraftOptions<Written>) => {
  const { begin, make, name, onMade } = options
  const slot = useMemo(() => openDraft<Written>(name), [name])
  const found = useMemo(() => slot.read(), [slot])
  const draft = useSignal(found ?? begin)
  const isRestored = useSignal(found !== undefined)
  // A layout effect runs before the form is painted, so that no input is missed.
  useLayoutEffect(
    () => effect(() => slot.write(isSame(draft.value, begin) ? undefined : draft.value)),
    [slot]
  )
  const keyFor = useMemo(makeIdempotencyKeys, [])
  const submission = useSubmission(async (form) => {
    const sent = draft.value
    const made = await make(sent, keyFor)
    // Later changes are kept.
    if (isSame(slot.read(), sent)) slot.write(undefined)
    await onMade(made, () => form.isConnected)
  })
  const discard = (): void => {
    draft.value = begin
    isRestored.value = false
  }
  return { ...submission, draft, isRestored, discard }
}

type Preview = Answer<"presets.preview">
type Outcome = Readonly<{ fault: string; preview?: Preview; replaced?: ReadonlyArray<string> }>

const usePreview = (draft: Draft, { live, slug }: Pick<Props<Draft>, "live" | "slug">) => {
  const outcome = useSignal<Outcome>({ fault: "" })
  const { format, prompt, settings } = draft
  useRested([format, prompt, settings, slug, live?.version], async (signal) => {
    try {
      const [config, body] = [readObject(settings), bodyOf(draft)]
      const preview = await api.presets.preview(body, { format, slug, signal })
      const replaced = Object.keys(config).filter((name) => body[name] !== config[name])
      outcome.value = { fault: "", preview, replaced }
    } catch (cause) {
      if (!signal.aborted) outcome.value = { fault: sentenceOf(cause) }
    }
  })
  return outcome.value
}

const shortMax = 60

/** Returns a value for a sentence; empty if the value is too long for one. */
const formatShort = (value: unknown): string => {
  const text = value === undefined ? "none" : formatValue(value)
  return text.length > shortMax || text.includes("\n") ? "" : text
}

const changesOf = (
  { config, format, system_prompt: prompt }: NonNullable<Preview["changes"]>,
  areWinsKept: boolean
): ReadonlyArray<string> => [
  ...(format === null ? [] : ["the request format"]),
  ...(prompt === null ? [] : ["the prompt"]),
  ...(areWinsKept ? [] : ["the fields that override requests"]),
  ...config.map(({ from, is_order: isOrder, path, to }) => {
    const name = path === "" ? "the settings" : fieldName(path)
    if (isOrder) return `the order of ${name}`
    const [before, after] = [from, to].map((value) => formatShort(value))
    return before && after ? `${name}: ${before} → ${after}` : name
  })
]

const mistakenMax = 5

const MistakenVariables = ({ prompt }: { readonly prompt: string }) => {
  const mistaken = mistakenVariables(prompt).slice(0, mistakenMax)
  return mistaken.length === 0 ? null : (
    <p class="note" role="status">
      Not a variable: <code>{mistaken.join(", ")}</code>. {variableRule}
    </p>
  )
}

type FormatProps = Readonly<{ label: string; format: Format; onChange: (to: Format) => void }>
export const FormatField = ({ format, label, onChange }: FormatProps) => (
  <SelectField
    label={label}
    options={Object.entries(formatNames)}
    value={format}
    onChange={(to) => onChange(to as Format)}
  />
)

interface Props<Written extends Draft>
  extends Omit<ReturnType<typeof useDraft<Written>>, "submit"> {
  readonly slug?: string
  readonly submitWord: string
  /** The live version, for comparison. Its `wins` are unknown if it was not loaded completely. */
  readonly live?: Pick<Version, "system_prompt" | "version"> & Partial<Pick<Version, "wins">>
  /** The version that the draft began with, and the words that discard the draft. */
  readonly from?: string
  readonly discardWord?: string
  readonly head?: ComponentChildren
  readonly children?: ComponentChildren
}

const RestoredNote = (props: Props<Draft>) => {
  const { discard, discardWord = "Discard draft", from, isRestored } = props
  return isRestored.value ? (
    <div class="note bar apart" role="status">
      <span>Your unsaved draft {from === undefined ? "" : `from ${from} `}was restored.</span>
      <Button class="is-small" onClick={discard} word={discardWord} />
    </div>
  ) : null
}

type PromptProps = Readonly<{ live: Props<Draft>["live"]; prompt: string; slug: string }>
const PromptChanges = ({ live, prompt, slug }: PromptProps) => {
  const before = live?.system_prompt ?? ""
  if (live === undefined || before === prompt) return null
  const title = (
    <span>
      Changes to the prompt of <VersionLink slug={slug} version={live.version} />
    </span>
  )
  return (
    <Pane title={title}>
      <TextDiff from={before} to={prompt} />
    </Pane>
  )
}

export const VersionForm = <Written extends Draft>(props: Props<Written>) => {
  const { draft, fault, live, slug = "" } = props
  const { fault: problem, preview, replaced = [] } = usePreview(draft.value, props)
  const { format, prompt, wins } = draft.value
  const set = (part: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...part }
    fault.value = ""
  }
  const bind = (name: "comment" | "prompt") => ({
    value: draft.value[name],
    onInput: ({ currentTarget }: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      set({ [name]: currentTarget.value })
  })
  const showStored = ({ changes, fields, variables }: Preview) => {
    // The messages are only a placeholder, because the form has a separate field for the prompt.
    const ignored = fields.filter(({ fate, name }) => fate === "ignored" && name !== "messages")
    const lost = [
      ...ignored.map(({ name, reason }) => ({ name, why: `it ${reason}` })),
      ...replaced.map((name) => ({ name, why: "the prompt has its own field" }))
    ]
    const changed = changes && changesOf(changes, (live?.wins ?? wins).join() === wins.join())
    const liveVariables = variablesOf(live?.system_prompt ?? null)
    const unused = liveVariables.filter((name) => !variables.includes(name))
    return (
      <>
        {changes === null && variables.length === 0 ? null : (
          <div class="tip">
            {changes === null ? null : (
              <p>
                {changed?.length === 0 ? "Same content as " : "Changes to "}
                <VersionLink slug={slug} version={changes.from} />, which is live
                {changed?.length === 0 ? "." : `: ${changed?.join(", ")}.`}
              </p>
            )}
            {variables.length > 0 && (
              <p>Each request supplies values for {variables.join(", ")}.</p>
            )}
            {unused.length > 0 && <p>No longer used: {unused.join(", ")}.</p>}
          </div>
        )}
        {lost.length === 0 ? null : (
          <div class="note">
            {lost.map(({ name, why }) => (
              <p key={name}>
                <code>{name}</code> is not kept: {why}.
              </p>
            ))}
          </div>
        )}
      </>
    )
  }
  return (
    <>
      <RestoredNote {...props} />
      {props.head}
      <div class="version-fields stack">
        <div class="prompt-field stack">
          <Field label="System prompt">
            <textarea class="input prompt-input" dir="auto" rows={8} {...bind("prompt")} />
          </Field>
          <MistakenVariables prompt={prompt} />
        </div>
        <div class="stack">
          <FormatField
            label="Request format"
            format={format}
            onChange={(to) => set({ format: to })}
          />
          <SettingsFields
            format={format}
            fault={problem}
            text={draft.value.settings}
            onText={(settings) => set({ settings })}
          />
          <TextField
            label="Comment"
            maxLength={1_000}
            placeholder="What changed, for readers of the history"
            {...bind("comment")}
          />
          {preview && showStored(preview)}
          {props.children}
          <FieldFault text={problem === "" ? fault.value : ""} />
          <Button class="is-primary is-wide" type="submit" aria-disabled={props.isBusy.value}>
            {props.submitWord}
          </Button>
        </div>
      </div>
      <PromptChanges live={live} slug={slug} prompt={prompt} />
    </>
  )
}
