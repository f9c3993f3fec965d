/** Builds request bodies: forms as browsers send them, and hand-written multipart bodies. */

/** Builds a form. Each file is given by its name and text. */
export const form = (
  parts: ReadonlyArray<readonly [name: string, value: string | File]>
): FormData => {
  const data = new FormData()
  for (const [name, value] of parts) data.append(name, value)
  return data
}

/** Creates a small file with this name. */
export const file = (name: string): File => new File(["a few bytes"], name)

const boundary = "the-boundary"

/** The content type of a hand-written multipart body. */
export const multipart = { "content-type": `multipart/form-data; boundary=${boundary}` }

/** Builds a multipart body. Each part is a list of lines. */
export const handwritten = (...parts: ReadonlyArray<ReadonlyArray<string>>): string =>
  [...parts.flatMap((lines) => [`--${boundary}`, ...lines]), `--${boundary}--`, ""].join("\r\n")

/** Builds the `Content-Disposition` line for a part. */
export const disposition = (name: string, filename?: string): string =>
  `content-disposition: form-data; name="${name}"${
    filename === undefined ? "" : `; filename="${filename}"`
  }`

/** Builds a JSON body with its header. */
export const json = (value: unknown) => ({
  headers: { "content-type": "application/json" },
  body: typeof value === "string" ? value : JSON.stringify(value)
})

/** Builds a form without files from encoded parameters, with its header. */
export const urlEncoded = (body: string) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body
})

/** Builds a form without files, with the escapes that browsers use. */
export const pairs = (texts: ReadonlyArray<readonly [name: string, text: string]>) => ({
  body: new URLSearchParams(texts.map(([name, text]): [string, string] => [name, text]))
})

export const encodings = ["json", "form", "multipart"] as const
export type Encoding = (typeof encodings)[number]

/** Encodes parameters. In a form, every value is a string, and null is left out. */
export const encoded = (encoding: Encoding, parameters: Readonly<Record<string, unknown>>) => {
  if (encoding === "json") return json(parameters)
  const texts = Object.entries(parameters).map(([name, value]) => [name, `${value ?? ""}`] as const)
  return encoding === "multipart" ? { body: form(texts) } : pairs(texts)
}
