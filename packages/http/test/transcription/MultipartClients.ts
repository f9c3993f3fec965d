/**
 * What real clients send as `file` when nobody gave it a name, byte by byte.
 */
import { file, form } from "../Bodies.ts"
import type { Call } from "../Deployment.ts"

/** The answer; no sentence means a job. */
export type Expected = readonly [status: number, detail?: string]

/** A request, and the answer to it. */
export type Row = readonly [what: string, call: Call, ...expected: Expected]

/** The answer to a file without a name. */
export const withoutExtension = [415, "Unsupported file extension: "] as const

/** A body whose lines are written as they come, without a boundary before each part. */
export const lines = (contentType: string, ...texts: ReadonlyArray<string>): Call => ({
  headers: { "content-type": contentType },
  body: texts.join("\r\n")
})

/** Each client, what it sends, and the answer. */
export const clients: ReadonlyArray<Row> = [
  [
    "curl -F file=<x",
    lines(
      "multipart/form-data; boundary=------------------------d74496d66958873e",
      "--------------------------d74496d66958873e",
      'Content-Disposition: form-data; name="file"',
      "",
      "some text",
      "--------------------------d74496d66958873e--",
      ""
    ),
    ...withoutExtension
  ],
  [
    "curl -F file=@x.mp3",
    lines(
      "multipart/form-data; boundary=------------------------d74496d66958873e",
      "--------------------------d74496d66958873e",
      'Content-Disposition: form-data; name="file"; filename="x.mp3"',
      "Content-Type: audio/mpeg",
      "",
      "some text",
      "--------------------------d74496d66958873e--",
      ""
    ),
    200
  ],
  [
    "a client that ends its headers with a semicolon",
    lines(
      "multipart/form-data; boundary=b",
      "--b",
      'Content-Disposition: form-data; name="file"; filename="x.mp3"; ',
      "Content-Type: audio/mpeg;",
      "",
      "some text",
      "--b--",
      ""
    ),
    200
  ],
  [
    "Python requests, files={'file': (None, bytes)}",
    lines(
      "multipart/form-data; boundary=0f3c5f8b0c8b4c7f9b8e2a6d1f4e7a90",
      "--0f3c5f8b0c8b4c7f9b8e2a6d1f4e7a90",
      'Content-Disposition: form-data; name="file"',
      "",
      "\u0000\u0001\u00ff",
      "--0f3c5f8b0c8b4c7f9b8e2a6d1f4e7a90--",
      ""
    ),
    ...withoutExtension
  ],
  [
    "form-data with a Buffer",
    lines(
      "multipart/form-data; boundary=--------------------------515890814546601021194782",
      "----------------------------515890814546601021194782",
      'Content-Disposition: form-data; name="file"',
      "Content-Type: application/octet-stream",
      "",
      "bytes",
      "----------------------------515890814546601021194782--",
      ""
    ),
    ...withoutExtension
  ],
  ["fetch with a Blob", { body: form([["file", new Blob(["x"]) as File]]) }, ...withoutExtension],
  ["fetch with a nameless File", { body: form([["file", file("")]]) }, ...withoutExtension],
  ["fetch with a text", { body: form([["file", "text"]]) }, ...withoutExtension]
]
