/** Shows resolved requests field by field, with the origin of each field. */

import { useSignal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { api } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { Button } from "../ui/Button.tsx"
import { copyText, Pane } from "../ui/Card.tsx"
import { Load } from "../ui/Empty.tsx"
import { Field } from "../ui/Forms.tsx"
import { type Format, formatValue, presetPath, versionName } from "./PresetTraits.ts"

type Resolution = components["schemas"]["Resolution"]

/** A version, a label or the live version, at a given time. */
export interface PointInTime {
  readonly point: string
  /** The time at which to resolve. Empty for the current time. */
  readonly at: string
}

const optionsOf = ({ at, point }: PointInTime) => ({
  ...(/^\d+$/.test(point)
    ? { version: Number(point) }
    : point === "designated"
      ? {}
      : { label: point }),
  ...(at === "" ? {} : { at: new Date(at) })
})

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
  const isNumber = /^\d+$/.test(pointed?.point ?? "")
  const pointer = label ?? (isNumber ? "" : "live")
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

interface Props {
  readonly slug: string
  readonly format: Format
  readonly request: Record<string, unknown>
  readonly sides: ReadonlyArray<PointInTime>
}

/** Values for the prompt's variables. A variable without a value is shown as its placeholder. */
type Values = Readonly<Record<string, string>>

const withValues = (
  request: Props["request"],
  { names, values }: { readonly names: ReadonlyArray<string>; readonly values: Values }
): Props["request"] => {
  if (names.length === 0) return request
  const filled = Object.fromEntries(names.map((name) => [name, values[name] ?? `{{${name}}}`]))
  const { variables } = request
  return { ...request, variables: { ...filled, ...Object(variables) } }
}

/** Returns a shell command that sends the same request with the user's own key. */
const toCurl = (
  { format, request, slug }: Pick<Props, "format" | "request" | "slug">,
  side: PointInTime
): string => {
  const { at, ...point } = optionsOf(side) as Record<string, unknown> & { readonly at?: Date }
  const query = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(point)) query.set(name, String(value))
  if (at !== undefined) query.set("at", at.toISOString())
  const body = JSON.stringify(request).replaceAll("'", "'\\''")
  return [
    `curl "$VERBATIM_URL/v1${presetPath(slug)}/resolve?${query}"`,
    `-H "Authorization: Bearer $VERBATIM_KEY" -H "Content-Type: application/json"`,
    `-d '${body}'`
  ].join(" \\\n  ")
}

/** A version, and the request to resolve with this version. */
interface Sent {
  readonly side: PointInTime
  readonly body: Props["request"]
}

interface ResolvedProps extends Pick<Props, "format" | "slug"> {
  readonly sent: ReadonlyArray<Sent>
}

const Resolved = ({ format, sent, slug }: ResolvedProps) => {
  const resolveAll = (signal: AbortSignal) =>
    Promise.all(
      sent.map(({ body, side }) =>
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
      <div class="cluster">
        {sent.map(({ body, side }, index) => (
          <Button
            class="is-small"
            icon="copy"
            key={index}
            onClick={() => void copyText(toCurl({ format, request: body, slug }, side))}
          >
            {sent.length === 1 ? "Copy as curl" : `Copy ${"AB".charAt(index)} as curl`}
          </Button>
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
    <Load of={JSON.stringify([slug, format, sent])} read={resolveAll} lines={4} height={56}>
      {showAll}
    </Load>
  )
}

/** Resolves the request with each version, and shows the results. */
export const Resolutions = ({ format, request, sides, slug }: Props) => {
  const values = useSignal<Values>({})
  const readPins = (signal: AbortSignal) =>
    Promise.all(sides.map((side) => api.presets.pin(slug, { ...optionsOf(side), signal })))
  const showWith = (names: ReadonlyArray<ReadonlyArray<string>>) => (
    <>
      {[...new Set(names.flat())].map((name) => (
        <Field
          key={name}
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
            defaultValue={values.value[name] ?? ""}
            onChange={(event) => {
              values.value = { ...values.value, [name]: event.currentTarget.value }
            }}
          />
        </Field>
      ))}
      <Resolved
        slug={slug}
        format={format}
        sent={sides.map((side, index) => ({
          side,
          body: withValues(request, { names: names[index] ?? [], values: values.value })
        }))}
      />
    </>
  )
  return (
    <Load of={JSON.stringify([slug, sides])} read={readPins} lines={4} height={56}>
      {(pinned) => showWith(pinned.map(({ variables }) => variables))}
    </Load>
  )
}
