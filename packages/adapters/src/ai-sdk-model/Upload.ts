/** Audio as the SDK gives it, as a form with a file that Verbatim accepts by its name. Pure. */
import type { Fields } from "./Parameters.ts"

/** The extension of a file of a content type, where it is not the last part of that. */
const extensions: ReadonlyMap<string, string> = new Map([
  ["audio/mpeg", "mp3"],
  ["audio/mp4", "m4a"],
  ["audio/x-m4a", "m4a"],
  ["audio/x-wav", "wav"],
  ["audio/wave", "wav"],
  ["audio/vnd.wave", "wav"],
  ["audio/x-flac", "flac"],
  ["audio/x-aac", "aac"],
  ["audio/x-ms-wma", "wma"],
  ["video/quicktime", "mov"],
  ["video/x-msvideo", "avi"],
  ["video/x-matroska", "mkv"],
  ["audio/x-matroska", "mkv"],
  ["video/x-ms-wmv", "wmv"]
])

const extensionOf = (mediaType: string): string => {
  const [plain = ""] = mediaType.toLowerCase().split(";")
  return extensions.get(plain.trim()) ?? plain.trim().split("/").at(-1) ?? ""
}

const decode = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** The form: parameters first, so that a mistake in them is told before the file is sent. */
export const formOf = (
  fields: Fields,
  file: { readonly audio: Uint8Array | string; readonly mediaType: string }
): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const { audio, mediaType } = file
  const bytes = typeof audio === "string" ? decode(audio) : new Uint8Array(audio)
  form.append("file", new Blob([bytes], { type: mediaType }), `audio.${extensionOf(mediaType)}`)
  return form
}
