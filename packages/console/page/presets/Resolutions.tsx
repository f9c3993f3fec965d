/** Resolved requests, field by field, with the origin of each field. */

import { useSignal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { api } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { Button } from "../ui/Button.tsx"
import { copyText } from "../ui/Copy.tsx"
import { Loaded } from "../ui/Empty.tsx"
import { Field } from "../ui/Forms.tsx"
import { makeSource, useSource } from "../ui/Loaded.ts"
import { type Format, formatJson, presetPath, versionName } from "./PresetTraits.ts"

type Resolution = components["schemas"]["Resolution"]

/** A version of the preset at a time. */
export interface PointInTime {
  readonly point: string
  /** The instant; empty for the current time. */
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

const words: Readonly<Record<Origin, string>> = {
  preset: "from the preset",
  request: "from the request"
}

const Chip = ({ origin }: { readonly origin: Origin }) => (
  <span class={`origin is-${origin}`}>{words[origin]}</span>
)

/** Returns the origins of a field: one, or several for tools from both request and preset. */
const originsOf = ({ provenance }: Resolution, field: string): ReadonlyArray<Origin> => {
  const own = provenance.fields[field]
  if (field !== "tools" || provenance.tools.length === 0) return own === undefined ? [] : [own]
  return [...new Set(provenance.tools)]
}

const write = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : formatJson(value)

const namesOf = (resolutions: ReadonlyArray<Resolution>): ReadonlyArray<string> => [
  ...new Set(resolutions.flatMap(({ request }) => Object.keys(request)))
]

const ResolvedField = ({
  name,
  resolutions
}: {
  readonly name: string
  readonly resolutions: ReadonlyArray<Resolution>
}) => {
  const values = resolutions.map(({ request }) =>
    Object.hasOwn(request, name) ? write(request[name]) : ""
  )
  const [one = "", other] = values
  const isSame = other === undefined || one === other
  const origin = [...new Set(resolutions.flatMap((resolution) => originsOf(resolution, name)))]
  return (
    <section class={isSame ? "pane box is-flush" : "pane box is-flush is-changed"}>
      <h2 class="pane-head">
        <code>{name}</code>
        {origin.map((each) => (
          <Chip key={each} origin={each} />
        ))}
        {isSame ? null : <span class="badge is-busy">differs</span>}
      </h2>
      {isSame ? <pre class="value">{one}</pre> : <TextDiff from={one} to={other} />}
    </section>
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

const ResolvedVersion = ({
  pointed,
  resolution
}: {
  readonly pointed: PointInTime | undefined
  readonly resolution: Resolution
}) => {
  const { label, version } = resolution.preset
  const when = pointed === undefined || pointed.at === "" ? "" : " then"
  const prompt = resolution.provenance.system_prompt
  return (
    <span class="resolved-version">
      <strong>{versionName(version)}</strong>
      {label === undefined ? (
        <span class="hint">{/^\d+$/.test(pointed?.point ?? "") ? "" : `live${when}`}</span>
      ) : (
        <span class="hint">
          {label}
          {when}
        </span>
      )}
      {prompt === null ? null : (
        <span class="hint">
          System prompt {prompt === "preset" ? "from the preset" : "from the request"}
        </span>
      )}
    </span>
  )
}

interface Props {
  readonly slug: string
  readonly format: Format
  readonly request: Record<string, unknown>
  readonly sides: ReadonlyArray<PointInTime>
}

/**
 * The values for the prompt's variables. A variable that has no value is shown as its placeholder.
 */
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

const Resolved = ({
  format,
  names,
  request,
  sides,
  slug,
  values
}: Props & {
  /** The variables for each version. */
  readonly names: ReadonlyArray<ReadonlyArray<string>>
  readonly values: Values
}) => {
  const source = useSource(JSON.stringify([slug, format, request, sides, names, values]), () =>
    makeSource((signal) =>
      Promise.all(
        sides.map((side, index) => {
          const body = withValues(request, { names: names[index] ?? [], values })
          return api.presets.resolve(slug, body, { ...optionsOf(side), format, signal })
        })
      )
    )
  )
  return (
    <Loaded source={source} lines={4} height={56}>
      {(resolutions) => (
        <section class="resolutions stack" aria-label="Resolved request">
          <div
            class={
              resolutions.length > 1 ? "resolved-version-line is-two" : "resolved-version-line"
            }
          >
            {resolutions.map((resolution, index) => (
              <ResolvedVersion key={index} resolution={resolution} pointed={sides[index]} />
            ))}
          </div>
          <div class="cluster">
            {sides.map((side, index) => (
              <Button
                class="is-small"
                icon="copy"
                key={index}
                onClick={() => {
                  const body = withValues(request, { names: names[index] ?? [], values })
                  void copyText(toCurl({ format, request: body, slug }, side))
                }}
              >
                {sides.length === 1 ? "Copy as curl" : `Copy ${index === 0 ? "A" : "B"} as curl`}
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
      )}
    </Loaded>
  )
}

/** Resolves the request with each version, and shows the results. */
export const Resolutions = (props: Props) => {
  const { sides, slug } = props
  const values = useSignal<Values>({})
  const pins = useSource(JSON.stringify([slug, sides]), () =>
    makeSource((signal) =>
      Promise.all(sides.map((side) => api.presets.pin(slug, { ...optionsOf(side), signal })))
    )
  )
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
      <Resolved {...props} names={names} values={values.value} />
    </>
  )
  return (
    <Loaded source={pins} lines={4} height={56}>
      {(pinned) => showWith(pinned.map(({ variables }) => variables))}
    </Loaded>
  )
}
