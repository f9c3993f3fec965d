/**
 * Bodies of requests: forms as browsers send them, and multipart bodies written out by hand.
 */

/** A form; a file is its name and its text. */
export const form = (
  parts: ReadonlyArray<readonly [name: string, value: string | File]>
): FormData => {
  const data = new FormData()
  for (const [name, value] of parts) data.append(name, value)
  return data
}

/** A small file of that name. */
export const file = (name: string): File => new File(["a few bytes"], name)

const boundary = "the-boundary"

/** The header of a multipart body that is written out by hand. */
export const multipart = { "content-type": `multipart/form-data; boundary=${boundary}` }

/** A multipart body, each part as its lines. */
export const handwritten = (...parts: ReadonlyArray<ReadonlyArray<string>>): string =>
  [...parts.flatMap((lines) => [`--${boundary}`, ...lines]), `--${boundary}--`, ""].join("\r\n")

/** The line that says what a part is. */
export const disposition = (name: string, filename?: string): string =>
  `content-disposition: form-data; name="${name}"${
    filename === undefined ? "" : `; filename="${filename}"`
  }`

/** A JSON body with its header. */
export const json = (value: unknown) => ({
  headers: { "content-type": "application/json" },
  body: typeof value === "string" ? value : JSON.stringify(value)
})

/** Parameters in a form without files, with the header. */
export const urlEncoded = (body: string) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body
})

/** Parameters in a form without files, escaped as browsers do. */
export const pairs = (texts: ReadonlyArray<readonly [name: string, text: string]>) => ({
  body: new URLSearchParams(texts.map(([name, text]): [string, string] => [name, text]))
})

/** The ways in which parameters can be sent. */
export const encodings = ["json", "form", "multipart"] as const
export type Encoding = (typeof encodings)[number]

/** The same parameters in one of the encodings. Forms know texts alone, and no null. */
export const encoded = (encoding: Encoding, parameters: Readonly<Record<string, unknown>>) => {
  if (encoding === "json") return json(parameters)
  const texts = Object.entries(parameters).map(([name, value]) => [name, `${value ?? ""}`] as const)
  return encoding === "multipart" ? { body: form(texts) } : pairs(texts)
}
