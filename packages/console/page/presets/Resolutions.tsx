/** Resolved requests, field by field: what each one says, and whose it is. */

import { useSignal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { api } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { Loaded } from "../ui/Empty.tsx"
import { Field } from "../ui/Forms.tsx"
import { makeSource, useSource } from "../ui/Loaded.ts"
import { type Format, versionName, writeJson } from "./PresetTraits.ts"

type Resolution = components["schemas"]["Resolution"]

/** Which version of the preset, and when. */
export interface Pointed {
  readonly point: string
  /** An instant; empty for now. */
  readonly at: string
}

const optionsOf = ({ at, point }: Pointed) => ({
  ...(/^\d+$/.test(point)
    ? { version: Number(point) }
    : point === "designated"
      ? {}
      : { label: point }),
  ...(at === "" ? {} : { at: new Date(at) })
})

type Whose = "preset" | "request"

const words: Readonly<Record<Whose, string>> = { preset: "from the preset", request: "yours" }

const Chip = ({ whose }: { readonly whose: Whose }) => (
  <span class={`whose is-${whose}`}>{words[whose]}</span>
)

/** Whose a field is; of a list of messages or tools that both made, each part's. */
const whoseOf = ({ provenance }: Resolution, field: string): ReadonlyArray<Whose> => {
  const own = provenance.fields[field]
  if (field !== "tools" || provenance.tools.length === 0) return own === undefined ? [] : [own]
  return [...new Set(provenance.tools)]
}

const write = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : writeJson(value)

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
  const whose = [...new Set(resolutions.flatMap((resolution) => whoseOf(resolution, name)))]
  return (
    <section class={isSame ? "pane box is-flush" : "pane box is-flush is-changed"}>
      <h2 class="pane-head">
        <code>{name}</code>
        {whose.map((each) => (
          <Chip key={each} whose={each} />
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

const Meant = ({
  pointed,
  resolution
}: {
  readonly pointed: Pointed | undefined
  readonly resolution: Resolution
}) => {
  const { label, version } = resolution.preset
  const when = pointed === undefined || pointed.at === "" ? "" : " then"
  const prompt = resolution.provenance.system_prompt
  return (
    <span class="meant">
      <strong>{versionName(version)}</strong>
      {label === undefined ? (
        <span class="hint">{/^\d+$/.test(pointed?.point ?? "") ? "" : `designated${when}`}</span>
      ) : (
        <span class="hint">
          {label}
          {when}
        </span>
      )}
      {prompt === null ? null : (
        <span class="hint">
          System prompt {prompt === "preset" ? "from the preset" : "of the request"}
        </span>
      )}
    </span>
  )
}

interface Given {
  readonly slug: string
  readonly format: Format
  readonly request: Record<string, unknown>
  readonly sides: ReadonlyArray<Pointed>
}

/** What stands for the variables of a prompt; one without a value is shown as it stands there. */
type Values = Readonly<Record<string, string>>

const withValues = (
  request: Given["request"],
  { names, values }: { readonly names: ReadonlyArray<string>; readonly values: Values }
): Given["request"] => {
  if (names.length === 0) return request
  const given = Object.fromEntries(names.map((name) => [name, values[name] ?? `{{${name}}}`]))
  const { variables } = request
  return { ...request, variables: { ...given, ...Object(variables) } }
}

const Resolved = ({
  format,
  names,
  request,
  sides,
  slug,
  values
}: Given & {
  /** The variables of each side. */
  readonly names: ReadonlyArray<ReadonlyArray<string>>
  readonly values: Values
}) => {
  const source = useSource(JSON.stringify([slug, format, request, sides, names, values]), () =>
    makeSource((signal) =>
      Promise.all(
        sides.map((side, place) => {
          const body = withValues(request, { names: names[place] ?? [], values })
          return api.presets.resolve(slug, body, { ...optionsOf(side), format, signal })
        })
      )
    )
  )
  return (
    <Loaded source={source} lines={4} height={56}>
      {(resolutions) => (
        <section class="resolutions stack" aria-label="Resolved request">
          <div class={resolutions.length > 1 ? "meant-line is-two" : "meant-line"}>
            {resolutions.map((resolution, place) => (
              <Meant key={place} resolution={resolution} pointed={sides[place]} />
            ))}
          </div>
          {resolutions.map((resolution, place) => (
            <LeftOut key={place} resolution={resolution} />
          ))}
          {namesOf(resolutions).map((name) => (
            <ResolvedField key={name} name={name} resolutions={resolutions} />
          ))}
        </section>
      )}
    </Loaded>
  )
}

/** Resolves the request with each side, and shows what comes of it. */
export const Resolutions = (given: Given) => {
  const { sides, slug } = given
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
      <Resolved {...given} names={names} values={values.value} />
    </>
  )
  return (
    <Loaded source={pins} lines={4} height={56}>
      {(pinned) => showWith(pinned.map(({ variables }) => variables))}
    </Loaded>
  )
}
