/** Shows what the preset adds to a request, for one version or for two side by side. */
import { useSignal } from "@preact/signals"
import type { Answer } from "@verbatim/client"
import { api } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { query, setQuery } from "../Router.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { copyText, Pane } from "../ui/Card.tsx"
import { JsonField, TextField } from "../ui/Forms.tsx"
import { Load } from "../ui/Loaded.tsx"
import { useRested } from "../ui/Theme.ts"
import { PointField } from "./PointField.tsx"
import { designatedOf, type PresetProps, type PresetState } from "./PresetModel.ts"
import {
  type Format,
  formatJson,
  formatValue,
  lastInstant,
  presetPath,
  sampleRequests,
  tryObject,
  versionName
} from "./PresetTraits.ts"
import { FormatField } from "./VersionForm.tsx"

const toLocal = (at: string): string => {
  if (at === "") return ""
  const instant = new Date(at)
  const shifted = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, "2030-01-02T03:04:05".length)
}

type SideName = "a" | "b"
const readPoint = (side: SideName): PointInTime | undefined => {
  const point = query.value.get(side) ?? (side === "a" ? "designated" : "")
  const at = query.value.get(`${side}at`) ?? ""
  const isTimed = !isVersionNumber(point) && !Number.isNaN(Date.parse(at))
  return point === "" ? undefined : { point, at: isTimed ? at : "" }
}

type SideProps = Readonly<{ side: SideName; title: string; state: PresetState }>
const Side = ({ side, state, title }: SideProps) => {
  const { at, point } = readPoint(side) ?? { at: "", point: "latest" }
  const isFixed = isVersionNumber(point)
  return (
    <fieldset class="trial-side inline-form box">
      <legend class="hint">{title}</legend>
      <PointField
        label="Version or label"
        state={state}
        value={point}
        onChange={(chosen) => setQuery(side, chosen)}
      />
      <TextField
        label="At time"
        hint={isFixed ? "A version never changes." : "Empty: now."}
        type="datetime-local"
        step="1"
        max={lastInstant}
        disabled={isFixed}
        value={toLocal(at)}
        onChange={({ currentTarget: { validity, value } }) => {
          const isMeant = value !== "" && validity.valid
          setQuery(`${side}at`, isMeant ? new Date(value).toISOString() : "")
        }}
      />
      {side === "a" ? null : (
        <IconButton
          class="trial-remove"
          icon="close"
          label="Remove this version"
          onClick={() => {
            for (const name of ["b", "bat"]) setQuery(name, "")
          }}
        />
      )}
    </fieldset>
  )
}

const Sides = ({ state }: { readonly state: PresetState }) => {
  const isOne = readPoint("b") === undefined
  return (
    <div class="stack-3">
      <Side side="a" title={isOne ? "Version" : "Version A"} state={state} />
      {isOne ? (
        <Button icon="plus" onClick={() => setQuery("b", "latest")}>
          Compare with another version
        </Button>
      ) : (
        <Side side="b" title="Version B" state={state} />
      )}
    </div>
  )
}

/** Values for the prompt's variables. A variable without a value is sent as its placeholder. */
type Values = Readonly<Record<string, string>>

type Request = Readonly<{ format: Format; body: Readonly<Record<string, unknown>>; values: Values }>
const fillIn = ({ body, values }: Request, names: ReadonlyArray<string>) => {
  const filled = names.map((name) => [name, values[name] || `{{${name}}}`])
  const variables = { ...Object.fromEntries(filled), ...Object(body.variables) }
  const unset = names.filter(
    (name) => !values[name] && !Object.hasOwn(Object(body.variables), name)
  )
  return { unset, body: names.length === 0 ? body : { ...body, variables } }
}

/** The written request, undefined while its text is invalid, and the last valid one at rest. */
const useRequest = (usual: Format) => {
  const format = useSignal(usual)
  const text = useSignal(sampleRequests[usual])
  const values = useSignal<Values>({})
  const fault = useSignal("")
  const { fault: problem, value: body } = tryObject(text.value)
  const written = body && { format: format.value, body, values: values.value }
  const rested = useSignal<Request>({ format: usual, body: {}, values: {}, ...written })
  useRested([format.value, text.value, values.value], () => {
    fault.value = problem
    if (written !== undefined) rested.value = written
  })
  const setFormat = (next: Format): void => {
    if (text.value === sampleRequests[format.value]) text.value = sampleRequests[next]
    format.value = next
  }
  return { fault, format, rested: rested.value, setFormat, text, values, written }
}

export const RequestPreview = ({ model: { slug }, state }: PresetProps) => {
  const usual = state.versions[0]?.format ?? "responses"
  const { fault, format, rested, setFormat, text, values, written } = useRequest(usual)
  const sides = [readPoint("a"), readPoint("b")].filter((side) => side !== undefined)
  // If another user moves what a side names, such as a label, the preview is read again.
  const pointers = state.labels.map(({ label, version }) => [label, version])
  const targets = [designatedOf(state), state.total, ...pointers]
  const readPins = (signal: AbortSignal) =>
    Promise.all(
      sides.map(async (side) => {
        const { variables: names } = await api.presets.pin(slug, { ...optionsOf(side), signal })
        return { side, names }
      })
    )
  const showValue = (name: string) => {
    const label = (
      <>
        Value of <code>{name}</code>
      </>
    )
    return (
      <TextField
        key={name}
        label={label}
        dir="auto"
        autocomplete="off"
        value={values.value[name] ?? ""}
        onInput={({ currentTarget }) => {
          values.value = { ...values.value, [name]: currentTarget.value }
        }}
      />
    )
  }
  const show = (pins: Awaited<ReturnType<typeof readPins>>) => {
    const toSent = (request: Request) =>
      pins.map(({ names, side }) => {
        return { slug, side, format: request.format, ...fillIn(request, names) }
      })
    const isRead = JSON.stringify(pins.map(({ side }) => side)) === JSON.stringify(sides)
    const unread = isRead ? undefined : "The request can be copied once its version is read."
    const refusal = written ? unread : "The request cannot be copied while it is invalid."
    const sent = toSent(rested)
    return (
      <>
        {[...new Set(pins.flatMap(({ names }) => names))].map(showValue)}
        {showCopyButtons(toSent(written ?? rested), refusal)}
        <Load
          of={JSON.stringify([sent, targets])}
          read={(signal) => resolveAll(sent, signal)}
          keepsPrevious
        >
          {(results) => <Resolved results={results} />}
        </Load>
      </>
    )
  }
  const { status } = state.preset
  return (
    <div class="stack">
      <div class="trial-form stack">
        <div class="stack-3">
          <FormatField label="Format" format={format.value} onChange={setFormat} />
          <JsonField
            label="Request"
            rows={6}
            fault={fault.value}
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value
            }}
          />
        </div>
        <Sides state={state} />
      </div>
      {status === "active" ? (
        <Load of={JSON.stringify([slug, sides, targets])} read={readPins} keepsPrevious>
          {show}
        </Load>
      ) : (
        <p class="note">No request can use this preset while it is {status}.</p>
      )}
    </div>
  )
}

/** A version or label, and a time, which is empty for the current time. */
type PointInTime = Readonly<{ point: string; at: string }>

const isVersionNumber = (point: string): boolean => /^\d+$/.test(point)

const optionsOf = ({ at, point }: PointInTime) => {
  const isNumber = isVersionNumber(point)
  return {
    version: isNumber ? Number(point) : undefined,
    label: isNumber || point === "designated" ? undefined : point,
    at: at === "" ? undefined : new Date(at)
  }
}

interface SentRequest extends Pick<Request, "body" | "format"> {
  readonly slug: string
  readonly side: PointInTime
  /** The variables without a value. */
  readonly unset: ReadonlyArray<string>
}

const pathOf = ({ format, side, slug }: SentRequest): string => {
  const query = JSON.parse(JSON.stringify({ format, ...optionsOf(side) }))
  return `/v1${presetPath(slug)}/resolve?${new URLSearchParams(query)}`
}

const programs = {
  curl: (sent: SentRequest) => `curl "$VERBATIM_URL${pathOf(sent)}" \\
  -H "Authorization: Bearer $VERBATIM_KEY" -H "Content-Type: application/json" \\
  -d '${JSON.stringify(sent.body).replaceAll("'", "'\\''")}'`,
  TypeScript: (sent: SentRequest) => `const { VERBATIM_KEY, VERBATIM_URL } = process.env
const response = await fetch(\`\${VERBATIM_URL}${pathOf(sent)}\`, {
  method: "POST",
  headers: { Authorization: \`Bearer \${VERBATIM_KEY}\`, "Content-Type": "application/json" },
  body: JSON.stringify(${formatJson(sent.body).replaceAll("\n", "\n  ")})
})
console.log(JSON.stringify(await response.json(), null, 2))
`,
  // A JSON string is also a string in Python.
  Python: (sent: SentRequest) => `import json, os, urllib.request

request = urllib.request.Request(
    os.environ["VERBATIM_URL"] + "${pathOf(sent)}",
    data=${JSON.stringify(JSON.stringify(sent.body))}.encode(),
    headers={
        "Authorization": "Bearer " + os.environ["VERBATIM_KEY"],
        "Content-Type": "application/json",
    },
)
print(json.dumps(json.load(urllib.request.urlopen(request)), indent=2))
`
}

const showCopyButtons = (sent: ReadonlyArray<SentRequest>, refusal: string | undefined) => {
  const isRefused = refusal !== undefined
  return (
    <div class="stack-2">
      {sent.map((request, index) => (
        <div class="cluster" key={index}>
          {Object.entries(programs).map(([language, toProgram]) => (
            <Button
              class="is-small"
              icon="copy"
              key={language}
              aria-disabled={isRefused}
              onClick={isRefused ? undefined : () => void copyText(toProgram(request))}
            >
              {sent.length === 1 ? "Copy as" : `Copy ${"AB".charAt(index)} as`} {language}
            </Button>
          ))}
        </div>
      ))}
      <p class="hint" role="status">
        {isRefused ? (
          refusal
        ) : (
          <>
            To run the copy, set <code>VERBATIM_URL</code> to this server's address and{" "}
            <code>VERBATIM_KEY</code> to an API key.
          </>
        )}
      </p>
    </div>
  )
}

type Resolution = Answer<"presets.resolve">
const tones = { preset: "accent", request: "idle" } as const

/** Returns a field's origins. Only tools can have several origins: the request and the preset. */
const originsOf = ({ provenance }: Resolution, field: string) => {
  const own = provenance.fields[field]
  if (field === "tools" && provenance.tools.length > 0) return provenance.tools
  return own === undefined ? [] : [own]
}

type Result = Pick<SentRequest, "side" | "unset"> & Readonly<{ resolution: Resolution }>
const ResolvedVersion = ({ resolution: { preset, provenance }, side: { at, point } }: Result) => {
  const pointer = preset.label ?? (isVersionNumber(point) ? "" : "live")
  const prompt = provenance.system_prompt
  return (
    <span class="resolved-version">
      <strong>{versionName(preset.version)}</strong>
      <span class="hint">
        {pointer}
        {pointer === "" || at === "" ? "" : " then"}
      </span>
      {prompt === null ? null : <span class="hint">System prompt from the {prompt}</span>}
    </span>
  )
}

const Resolved = ({ results }: { readonly results: ReadonlyArray<Result> }) => {
  const resolutions = results.map(({ resolution }) => resolution)
  const names = new Set(resolutions.flatMap(({ request }) => Object.keys(request)))
  const showField = (name: string) => {
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
      <Pane title={title} key={name}>
        {one === other ? <pre class="value">{one}</pre> : <TextDiff from={one} to={other} />}
      </Pane>
    )
  }
  return (
    <section class="stack" aria-label="Resolved request">
      <div class={`resolved-version-line ${results.length > 1 ? "is-two" : ""}`}>
        {results.map((result, index) => (
          <ResolvedVersion key={index} {...result} />
        ))}
      </div>
      {results.map(({ resolution: { left_out, preset }, unset }, index) =>
        left_out.length + unset.length === 0 ? null : (
          <div class="note" key={index}>
            {unset.length > 0 && (
              <p>
                {versionName(preset.version)}: No value for <code>{unset.join(", ")}</code>. The
                preview and its copies contain the placeholder instead.
              </p>
            )}
            {left_out.map(({ field, reason }) => (
              <p key={field}>
                {versionName(preset.version)}: <code>{field}</code> is left out: {reason}
              </p>
            ))}
          </div>
        )
      )}
      {[...names].map(showField)}
    </section>
  )
}

const resolveAll = (sent: ReadonlyArray<SentRequest>, signal: AbortSignal) =>
  Promise.all(
    sent.map(async ({ body, format, side, slug, unset }) => {
      const options = { ...optionsOf(side), format, signal }
      return { side, unset, resolution: await api.presets.resolve(slug, body, options) }
    })
  )
