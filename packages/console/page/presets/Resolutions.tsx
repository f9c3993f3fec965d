/** Shows resolved requests field by field, with the origin of each field. */

import { type Signal, useSignal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { api } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { Button } from "../ui/Button.tsx"
import { copyText, Pane } from "../ui/Card.tsx"
import { Load } from "../ui/Empty.tsx"
import { Field } from "../ui/Forms.tsx"
import { useRested } from "../ui/Theme.ts"
import { formatValue, versionName } from "./PresetTraits.ts"
import {
  isVersionNumber,
  optionsOf,
  type PointInTime,
  programs,
  type SentRequest,
  type WrittenRequest
} from "./RequestCode.ts"

type Resolution = components["schemas"]["Resolution"]

type Origin = "preset" | "request"

const tones = { preset: "accent", request: "idle" } as const

/** Returns a field's origins. Only tools can have several origins: the request and the preset. */
const originsOf = ({ provenance }: Resolution, field: string): ReadonlyArray<Origin> => {
  const own = provenance.fields[field]
  if (field !== "tools" || provenance.tools.length === 0) return own === undefined ? [] : [own]
  return [...new Set(provenance.tools)]
}

const namesOf = (resolutions: ReadonlyArray<Resolution>): ReadonlyArray<string> => [
  ...new Set(resolutions.flatMap(({ request }) => Object.keys(request)))
]

interface FieldProps {
  readonly name: string
  readonly resolutions: ReadonlyArray<Resolution>
}

const ResolvedField = ({ name, resolutions }: FieldProps) => {
  const [one = "", other = one] = resolutions.map(({ request }) =>
    Object.hasOwn(request, name) ? formatValue(request[name]) : ""
  )
  const origins = new Set(resolutions.flatMap((resolution) => originsOf(resolution, name)))
  const title = (
    <>
      <code>{name}</code>
      {[...origins].map((origin) => (
        <span class={`badge is-${tones[origin]}`} key={origin}>
          from the {origin}
        </span>
      ))}
      {one === other ? null : <span class="badge is-busy">differs</span>}
    </>
  )
  return (
    <Pane title={title}>
      {one === other ? <pre class="value">{one}</pre> : <TextDiff from={one} to={other} />}
    </Pane>
  )
}

const LeftOut = ({ resolution }: { readonly resolution: Resolution }) =>
  resolution.left_out.length === 0 ? null : (
    <div class="note">
      {resolution.left_out.map(({ field, reason }) => (
        <p key={field}>
          {versionName(resolution.preset.version)}: <code>{field}</code> is left out: {reason}
        </p>
      ))}
    </div>
  )

interface VersionProps {
  readonly pointed: PointInTime | undefined
  readonly resolution: Resolution
}

const ResolvedVersion = ({ pointed, resolution }: VersionProps) => {
  const { label, version } = resolution.preset
  const pointer = label ?? (isVersionNumber(pointed?.point ?? "") ? "" : "live")
  const prompt = resolution.provenance.system_prompt
  return (
    <span class="resolved-version">
      <strong>{versionName(version)}</strong>
      <span class="hint">
        {pointer}
        {pointer === "" || (pointed?.at ?? "") === "" ? "" : " then"}
      </span>
      {prompt === null ? null : <span class="hint">System prompt from the {prompt}</span>}
    </span>
  )
}

/** Values for the prompt's variables. A variable without a value is shown as its placeholder. */
type Values = Readonly<Record<string, string>>

const placeholderOf = (name: string): string => `{{${name}}}`

const withValues = (
  body: SentRequest["body"],
  { names, values }: { readonly names: ReadonlyArray<string>; readonly values: Values }
): SentRequest["body"] => {
  if (names.length === 0) return body
  const filled = Object.fromEntries(
    names.map((name) => [name, values[name] || placeholderOf(name)])
  )
  return { ...body, variables: { ...filled, ...Object(body.variables) } }
}

interface CopyProps {
  readonly sent: ReadonlyArray<SentRequest>
  /** Why the requests cannot be copied. Undefined if they can. */
  readonly refusal: string | undefined
}

const CopyButtons = ({ refusal, sent }: CopyProps) => (
  <div class="stack-2">
    {sent.map((request, index) => (
      <div class="cluster" key={index}>
        {Object.entries(programs).map(([language, toProgram]) => (
          <Button
            class="is-small"
            icon="copy"
            key={language}
            aria-disabled={refusal !== undefined}
            onClick={() => {
              if (refusal === undefined) void copyText(toProgram(request))
            }}
          >
            {sent.length === 1 ? "Copy as" : `Copy ${"AB".charAt(index)} as`} {language}
          </Button>
        ))}
      </div>
    ))}
    <p class="hint" role="status">
      {refusal ?? (
        <>
          To run the copy, set <code>VERBATIM_URL</code> to this server's address and{" "}
          <code>VERBATIM_KEY</code> to an API key.
        </>
      )}
    </p>
  </div>
)

const Resolved = ({ sent }: { readonly sent: ReadonlyArray<SentRequest> }) => {
  const resolveAll = (signal: AbortSignal) =>
    Promise.all(
      sent.map(({ body, format, side, slug }) =>
        api.presets.resolve(slug, body, { ...optionsOf(side), format, signal })
      )
    )
  const showAll = (resolutions: ReadonlyArray<Resolution>) => (
    <section class="stack" aria-label="Resolved request">
      <div class={`resolved-version-line ${resolutions.length > 1 ? "is-two" : ""}`}>
        {resolutions.map((resolution, index) => (
          <ResolvedVersion key={index} resolution={resolution} pointed={sent[index]?.side} />
        ))}
      </div>
      {resolutions.map((resolution, index) => (
        <LeftOut key={index} resolution={resolution} />
      ))}
      {namesOf(resolutions).map((name) => (
        <ResolvedField key={name} name={name} resolutions={resolutions} />
      ))}
    </section>
  )
  return (
    <Load of={JSON.stringify(sent)} read={resolveAll} lines={4} height={56} keepsPrevious>
      {showAll}
    </Load>
  )
}

interface ValueProps {
  readonly name: string
  readonly values: Signal<Values>
}

const ValueField = ({ name, values }: ValueProps) => {
  const value = values.value[name] ?? ""
  return (
    <Field
      label={
        <>
          Value of <code>{name}</code>
        </>
      }
    >
      <input
        class="input"
        dir="auto"
        autocomplete="off"
        value={value}
        onInput={(event) => {
          values.value = { ...values.value, [name]: event.currentTarget.value }
        }}
      />
      {value === "" ? (
        <span class="hint">
          No value: the preview shows <code>{placeholderOf(name)}</code>.
        </span>
      ) : null}
    </Field>
  )
}

interface Props {
  readonly slug: string
  /** The request as written. Undefined while its text is invalid. */
  readonly written: WrittenRequest | undefined
  /** The last valid request. */
  readonly rested: WrittenRequest
  readonly sides: ReadonlyArray<PointInTime>
}

/** Resolves the request with each version, and shows the results. */
export const Resolutions = ({ rested, sides, slug, written }: Props) => {
  const values = useSignal<Values>({})
  const restedValues = useSignal<Values>({})
  useRested([values.value], () => {
    restedValues.value = values.value
  })
  const readPins = (signal: AbortSignal) =>
    Promise.all(
      sides.map(async (side) => {
        const { variables: names } = await api.presets.pin(slug, { ...optionsOf(side), signal })
        return { side, names }
      })
    )
  const showWith = (pins: Awaited<ReturnType<typeof readPins>>) => {
    const toSent = ({ body, format }: WrittenRequest, values: Values) =>
      pins.map(
        ({ names, side }): SentRequest => ({
          ...{ slug, format, side },
          body: withValues(body, { names, values })
        })
      )
    const isRead = JSON.stringify(pins.map(({ side }) => side)) === JSON.stringify(sides)
    const refusal =
      written === undefined
        ? "The request cannot be copied while it is invalid."
        : isRead
          ? undefined
          : "The request can be copied once its version is read."
    return (
      <>
        {[...new Set(pins.flatMap(({ names }) => names))].map((name) => (
          <ValueField key={name} name={name} values={values} />
        ))}
        <CopyButtons sent={toSent(written ?? rested, values.value)} refusal={refusal} />
        <Resolved sent={toSent(rested, restedValues.value)} />
      </>
    )
  }
  return (
    <Load of={JSON.stringify([slug, sides])} read={readPins} lines={4} height={56} keepsPrevious>
      {showWith}
    </Load>
  )
}
