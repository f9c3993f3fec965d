/** Bodies of requests as clients write them, by content type, and what may happen to bytes. */
import { Buffer } from "node:buffer"
import * as fc from "fast-check"

/** A file that is uploaded. */
export interface Upload {
  readonly filename: string | undefined
  readonly bytes: Uint8Array
}

const boundary = "fuzzed"

/** As it is written where only text can be. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "")

const partOf = (name: string, value: string | Upload): ReadonlyArray<Uint8Array> => {
  const isText = typeof value === "string"
  const filename = isText ? undefined : value.filename
  const named = filename === undefined ? "" : `; filename="${filename}"`
  return [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${named}\r\n\r\n`),
    isText ? Buffer.from(value) : value.bytes,
    Buffer.from("\r\n")
  ]
}

const fieldsOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  value !== null && typeof value === "object" ? Object.entries(value) : [["value", value]]

const isUpload = (value: unknown): value is Upload =>
  value !== null && typeof value === "object" && "bytes" in value

/** A value in the way of a content type, with the header that says so. */
export const encode = (type: string, value: unknown): readonly [string, Uint8Array] => {
  const fields = fieldsOf(value)
  if (type === "multipart/form-data") {
    const parts = fields.flatMap(([name, each]) =>
      partOf(name, isUpload(each) ? each : textOf(each))
    )
    const end = Buffer.from(`--${boundary}--\r\n`)
    return [`${type}; boundary=${boundary}`, Buffer.concat([...parts, end])]
  }
  if (type === "application/x-www-form-urlencoded") {
    const pairs = fields.map(([name, each]): [string, string] => [name, textOf(each)])
    return [type, Buffer.from(new URLSearchParams(pairs).toString())]
  }
  return [type, Buffer.from(JSON.stringify(value) ?? "")]
}

/** Something that happens to bytes, at a share of their length. */
export interface Edit {
  readonly kind: "cut" | "flip" | "insert" | "remove" | "repeat"
  readonly at: number
  readonly bytes: Uint8Array
  readonly length: number
}

/** Up to three edits, at least one. */
export const edits: fc.Arbitrary<ReadonlyArray<Edit>> = fc.array(
  fc.record({
    kind: fc.constantFrom("cut", "flip", "insert", "remove", "repeat"),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 6 }),
      fc
        .constantFrom(...['"', "{", "]", "\r\n", "\r\n\r\n", "\0", "--fuzzed", ": ", ","])
        .map((text) => Buffer.from(text))
    ),
    length: fc.integer({ min: 1, max: 60 })
  }),
  { minLength: 1, maxLength: 3 }
)

const editOnce = (whole: Uint8Array, { at, bytes, kind, length }: Edit): Uint8Array => {
  const from = Math.floor(at * whole.length)
  const [before, after] = [whole.subarray(0, from), whole.subarray(from)]
  const piece = after.subarray(0, length)
  switch (kind) {
    case "cut":
      return before
    case "flip":
      return Buffer.concat([before, bytes, after.subarray(bytes.length)])
    case "insert":
      return Buffer.concat([before, bytes, after])
    case "remove":
      return Buffer.concat([before, after.subarray(length)])
    default:
      return Buffer.concat([before, piece, piece, after])
  }
}

/** The bytes after all edits, one after the other. */
export const edit = (whole: Uint8Array, all: ReadonlyArray<Edit>): Uint8Array =>
  all.reduce(editOnce, whole)
