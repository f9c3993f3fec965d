/** Shows resolved requests field by field, and copies programs that resolve them. */
import type { Answer } from "@verbatim/client"
import { api } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { Button } from "../ui/Button.tsx"
import { copyText, Pane } from "../ui/Card.tsx"
import { Load } from "../ui/Loaded.tsx"
import { type Format, formatJson, formatValue, presetPath, versionName } from "./PresetTraits.ts"

export interface PointInTime {
  readonly point: string
  /** Empty for the current time. */
  readonly at: string
}

export const isVersionNumber = (point: string): boolean => /^\d+$/.test(point)

export const optionsOf = ({ at, point }: PointInTime) => {
  const isNumber = isVersionNumber(point)
  return {
    version: isNumber ? Number(point) : undefined,
    label: isNumber || point === "designated" ? undefined : point,
    at: at === "" ? undefined : new Date(at)
  }
}

interface SentRequest {
  readonly slug: string
  readonly side: PointInTime
  readonly format: Format
  readonly body: Readonly<Record<string, unknown>>
}

const pathOf = ({ format, side, slug }: SentRequest): string => {
  const query = JSON.parse(JSON.stringify({ format, ...optionsOf(side) }))
  return `/v1${presetPath(slug)}/resolve?${new URLSearchParams(query)}`
}

/** Programs that resolve a request with the user's own key. */
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

interface CopyProps {
  readonly sent: ReadonlyArray<SentRequest>
  /** Why the requests cannot be copied. Undefined if they can. */
  readonly refusal: string | undefined
}

export const CopyButtons = ({ refusal, sent }: CopyProps) => {
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
const originsOf = (
  { provenance }: Resolution,
  field: string
): ReadonlyArray<keyof typeof tones> => {
  const own = provenance.fields[field]
  if (field === "tools" && provenance.tools.length > 0) return provenance.tools
  return own === undefined ? [] : [own]
}

type FieldProps = Readonly<{ name: string; resolutions: ReadonlyArray<Resolution> }>
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

type Result = Readonly<{ side: PointInTime; resolution: Resolution }>
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
  return (
    <section class="stack" aria-label="Resolved request">
      <div class={`resolved-version-line ${results.length > 1 ? "is-two" : ""}`}>
        {results.map((result, index) => (
          <ResolvedVersion key={index} {...result} />
        ))}
      </div>
      {resolutions.map(({ left_out, preset }, index) =>
        left_out.length === 0 ? null : (
          <div class="note" key={index}>
            {left_out.map(({ field, reason }) => (
              <p key={field}>
                {versionName(preset.version)}: <code>{field}</code> is left out: {reason}
              </p>
            ))}
          </div>
        )
      )}
      {[...names].map((name) => (
        <ResolvedField key={name} name={name} resolutions={resolutions} />
      ))}
    </section>
  )
}

export const Resolutions = ({ sent }: Pick<CopyProps, "sent">) => {
  const resolveAll = (signal: AbortSignal) =>
    Promise.all(
      sent.map(async ({ body, format, side, slug }) => {
        const options = { ...optionsOf(side), format, signal }
        return { side, resolution: await api.presets.resolve(slug, body, options) }
      })
    )
  return (
    <Load of={JSON.stringify(sent)} read={resolveAll} lines={4} height={56} keepsPrevious>
      {(results) => <Resolved results={results} />}
    </Load>
  )
}
