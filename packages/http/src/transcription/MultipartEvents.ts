/**
 * What a multipart body holds, as a flat list of facts, read piece by piece. A body that a reader
 * could take in two ways is broken: part of it without its headers, text that is not in its
 * character set, an end that is missing.
 */
import { Option } from "effect"
import { MultipartParser } from "effect/http"

/** A fact about a multipart body. Nothing follows one of the last three. */
export type MultipartEvent =
  | { readonly _tag: "Field"; readonly name: string; readonly value: string }
  | { readonly _tag: "FileBegan"; readonly name: string; readonly filename: string }
  | { readonly _tag: "FileBytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "FileEnded" }
  /** The closing boundary was read. What comes after it means nothing. */
  | { readonly _tag: "Ended" }
  | { readonly _tag: "Broken" }
  /** The body as a whole went past its limit. */
  | { readonly _tag: "TooLarge" }

/** Reads one body. */
export interface MultipartReader {
  readonly write: (bytes: Uint8Array) => ReadonlyArray<MultipartEvent>
  readonly end: () => ReadonlyArray<MultipartEvent>
}

/** The longest parameter is a prompt of 4,096 characters: 16 KiB. A field is held in memory. */
const fieldBytesMax = 65_536

/** Parts beyond those that the service counts; one piece of a body can hold hundreds of them. */
const partMax = 1024

const decodeText = (info: MultipartParser.PartInfo, value: Uint8Array): Option.Option<string> =>
  Option.liftThrowable(() =>
    new TextDecoder(info.contentTypeParameters.charset ?? "utf-8", {
      fatal: true,
      ignoreBOM: true
    }).decode(value)
  )()

/** Whether a part is a named part of a form. The parser also takes what says nothing of itself. */
const isOfForm = ({ contentDisposition, name }: MultipartParser.PartInfo): boolean =>
  contentDisposition.toLowerCase() === "form-data" && name !== ""

/** A reader for a body with these headers, of at most `byteMax` bytes in all. */
export const make = (
  headers: Readonly<Record<string, string>>,
  byteMax: number
): MultipartReader => {
  let events: Array<MultipartEvent> = []
  let isOver = false
  let lastField: MultipartParser.PartInfo | undefined

  const stop = (event: MultipartEvent) => {
    if (isOver) return
    isOver = true
    // The parser ends an open file before it says that something is wrong with the body.
    if (events.at(-1)?._tag === "FileEnded") events.pop()
    events.push(event)
  }

  const parser = MultipartParser.make({
    headers: { ...headers },
    // A field may call itself `application/octet-stream`; by its own rule the parser takes that for
    // a file, and the parameter would be lost.
    isFile: ({ filename }) => filename !== undefined,
    maxParts: partMax,
    maxFieldSize: fieldBytesMax,
    maxTotalSize: byteMax,
    onField: (info, value) => {
      // A part that ends within its headers comes without any, or with those of the part before.
      const isWhole = info !== undefined && info !== lastField && isOfForm(info)
      const text = isWhole ? decodeText(info, value) : Option.none()
      lastField = info
      if (Option.isNone(text)) stop({ _tag: "Broken" })
      else if (!isOver) events.push({ _tag: "Field", name: info.name, value: text.value })
    },
    onFile: (info) => {
      const { filename = "", name } = info
      let hasEnded = false
      if (!isOfForm(info)) stop({ _tag: "Broken" })
      if (!isOver) events.push({ _tag: "FileBegan", name, filename })
      return (bytes) => {
        if (hasEnded) stop({ _tag: "Broken" })
        hasEnded = bytes === null
        if (isOver) return
        events.push(bytes === null ? { _tag: "FileEnded" } : { _tag: "FileBytes", bytes })
      }
    },
    onError: (error) => {
      const isTooLarge = error._tag === "ReachedLimit" && error.limit === "MaxTotalSize"
      stop({ _tag: isTooLarge ? "TooLarge" : "Broken" })
    },
    onDone: () => {
      if (!isOver) events.push({ _tag: "Ended" })
      isOver = true
    }
  })

  const taken = () => {
    const found = events
    events = []
    return found
  }

  return {
    write: (bytes) => {
      if (!isOver) parser.write(bytes)
      return taken()
    },
    end: () => {
      if (!isOver) parser.end()
      return taken()
    }
  }
}
