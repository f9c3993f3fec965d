/**
 * Reads a multipart body piece by piece, as a flat list of events. A body that two readers could
 * understand differently is broken: a part lacks its headers, a text is not in its character set,
 * the end is missing.
 */
import { Option } from "effect"
import { MultipartParser } from "effect/http"

/** What was found in a multipart body. Nothing follows one of the last three. */
export type MultipartEvent =
  | { readonly _tag: "Field"; readonly name: string; readonly value: string }
  | { readonly _tag: "FileBegan"; readonly name: string; readonly filename: string }
  | { readonly _tag: "FileBytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "FileEnded" }
  /** The closing boundary was read. What comes after it is ignored. */
  | { readonly _tag: "Ended" }
  | { readonly _tag: "Broken" }
  /** The whole body exceeds its limit. */
  | { readonly _tag: "TooLarge" }

/** Reads one body. */
export interface MultipartReader {
  readonly write: (bytes: Uint8Array) => ReadonlyArray<MultipartEvent>
  readonly end: () => ReadonlyArray<MultipartEvent>
}

/** The longest parameter is a prompt of 4,096 characters: 16 KiB. A field is held in memory. */
const fieldBytesMax = 65_536

/** Far beyond what the service counts; one piece of a body can hold hundreds of parts. */
const partMax = 1024

const decodeText = (info: MultipartParser.PartInfo, value: Uint8Array): Option.Option<string> =>
  Option.liftThrowable(() =>
    new TextDecoder(info.contentTypeParameters.charset ?? "utf-8", {
      fatal: true,
      ignoreBOM: true
    }).decode(value)
  )()

/** Whether a part is a named part of a form. The parser also accepts parts that do not say so. */
const isOfForm = ({ contentDisposition, name }: MultipartParser.PartInfo): boolean =>
  contentDisposition.toLowerCase() === "form-data" && name !== ""

type EndEvent = Extract<MultipartEvent, { readonly _tag: "Ended" | "Broken" | "TooLarge" }>

/** Collects events between two reads. After the end of the body there are none. */
interface EventList {
  readonly isOver: () => boolean
  readonly add: (event: MultipartEvent) => void
  readonly end: (event: EndEvent) => void
  readonly take: () => ReadonlyArray<MultipartEvent>
}

const makeEventList = (): EventList => {
  let events: Array<MultipartEvent> = []
  let isOver = false
  return {
    isOver: () => isOver,
    add: (event) => {
      if (!isOver) events.push(event)
    },
    end: (event) => {
      if (isOver) return
      isOver = true
      // The parser ends an open file before it reports that the body is broken.
      if (event._tag !== "Ended" && events.at(-1)?._tag === "FileEnded") events.pop()
      events.push(event)
    },
    take: () => {
      const taken = events
      events = []
      return taken
    }
  }
}

/** Makes the parser's callback for fields. */
const makeFieldReader = ({ add, end }: EventList): MultipartParser.Config["onField"] => {
  let last: MultipartParser.PartInfo | undefined
  return (info, value) => {
    // A part that ends within its headers comes without headers, or with those of the part before.
    const isWhole = info !== undefined && info !== last && isOfForm(info)
    const text = isWhole ? decodeText(info, value) : Option.none()
    last = info
    if (Option.isNone(text)) end({ _tag: "Broken" })
    else add({ _tag: "Field", name: info.name, value: text.value })
  }
}

/** Makes the parser's callback for files. */
const makeFileReader =
  ({ add, end }: EventList): MultipartParser.Config["onFile"] =>
  (info) => {
    const { filename = "", name } = info
    let hasEnded = false
    if (!isOfForm(info)) end({ _tag: "Broken" })
    add({ _tag: "FileBegan", name, filename })
    return (bytes) => {
      if (hasEnded) end({ _tag: "Broken" })
      hasEnded = bytes === null
      add(bytes === null ? { _tag: "FileEnded" } : { _tag: "FileBytes", bytes })
    }
  }

/** Makes a reader of a body with these headers, of at most `byteMax` bytes in all. */
export const makeReader = (
  headers: Readonly<Record<string, string>>,
  byteMax: number
): MultipartReader => {
  const events = makeEventList()
  const parser = MultipartParser.make({
    headers: { ...headers },
    // By its own rule the parser takes a field of type `application/octet-stream` for a file, and
    // the parameter would be lost.
    isFile: ({ filename }) => filename !== undefined,
    maxParts: partMax,
    maxFieldSize: fieldBytesMax,
    maxTotalSize: byteMax,
    onField: makeFieldReader(events),
    onFile: makeFileReader(events),
    onError: (error) => {
      const isTooLarge = error._tag === "ReachedLimit" && error.limit === "MaxTotalSize"
      events.end({ _tag: isTooLarge ? "TooLarge" : "Broken" })
    },
    onDone: () => events.end({ _tag: "Ended" })
  })
  return {
    write: (bytes) => {
      if (!events.isOver()) parser.write(bytes)
      return events.take()
    },
    end: () => {
      if (!events.isOver()) parser.end()
      return events.take()
    }
  }
}
