/** Programs that resolve the previewed request with the user's own key. */
import { type Format, formatJson, presetPath } from "./PresetTraits.ts"

/** A version, a label or the live version, at a given time. */
export interface PointInTime {
  readonly point: string
  /** The given time. Empty for the current time. */
  readonly at: string
}

/** Whether a point is a version's number. */
export const isVersionNumber = (point: string): boolean => /^\d+$/.test(point)

/** Returns the options that select a point in time when a request is resolved. */
export const optionsOf = ({ at, point }: PointInTime) => ({
  ...(isVersionNumber(point) ? { version: Number(point) } : {}),
  ...(isVersionNumber(point) || point === "designated" ? {} : { label: point }),
  ...(at === "" ? {} : { at: new Date(at) })
})

/** A request as written in the preview. */
export interface WrittenRequest {
  readonly format: Format
  readonly body: Record<string, unknown>
}

/** A request for the version at a point in time. */
export interface SentRequest extends WrittenRequest {
  readonly slug: string
  readonly side: PointInTime
}

const pathOf = ({ format, side, slug }: SentRequest): string => {
  const { at, ...point } = optionsOf(side)
  const query = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(point)) query.set(name, String(value))
  if (at !== undefined) query.set("at", at.toISOString())
  return `/v1${presetPath(slug)}/resolve?${query}`
}

const toCurl = (sent: SentRequest): string => `curl "$VERBATIM_URL${pathOf(sent)}" \\
  -H "Authorization: Bearer $VERBATIM_KEY" -H "Content-Type: application/json" \\
  -d '${JSON.stringify(sent.body).replaceAll("'", "'\\''")}'`

const toTypeScript = (
  sent: SentRequest
): string => `const { VERBATIM_KEY, VERBATIM_URL } = process.env
const response = await fetch(\`\${VERBATIM_URL}${pathOf(sent)}\`, {
  method: "POST",
  headers: { Authorization: \`Bearer \${VERBATIM_KEY}\`, "Content-Type": "application/json" },
  body: JSON.stringify(${formatJson(sent.body).replaceAll("\n", "\n  ")})
})
console.log(JSON.stringify(await response.json(), null, 2))
`

// A JSON string is also a string in Python.
const toPython = (sent: SentRequest): string => `import json, os, urllib.request

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

/** The programs by language. */
export const programs = { curl: toCurl, TypeScript: toTypeScript, Python: toPython } as const
