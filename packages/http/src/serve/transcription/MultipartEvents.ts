/**
 * Reads a multipart body piece by piece, as a flat list of events. A body that two readers could
 * understand differently is invalid: parts must have headers, text must be valid in its character
 * set, and the body must be complete.
 */
import { Option } from "effect"
import { MultipartParser } from "effect/http"
import { makeRewrite, readBoundary } from "./PlainMultipart.ts"

/** An event while a multipart body is read. The last two kinds end the body. */
export type MultipartEvent =
  /**
   * The text of a field, which is cut off at `fieldBytesMax` bytes, more than any parameter
   * accepts.
   */
  | { readonly _tag: "Field"; readonly name: string; readonly value: string }
  | {
      readonly _tag: "FileBegan"
      readonly name: string
      readonly filename: string
      readonly contentType: string
    }
  | { readonly _tag: "FileBytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "FileEnded" }
  /** The closing boundary was read. Everything after it is ignored. */
  | { readonly _tag: "Ended" }
  | { readonly _tag: "Broken" }

/** Reads one multipart body. */
export interface MultipartReader {
  readonly write: (bytes: Uint8Array) => ReadonlyArray<MultipartEvent>
  readonly end: () => ReadonlyArray<MultipartEvent>
}

/**
 * Maximum number of bytes in a field. Fields are kept in memory, and the longest parameter, a
 * prompt of 4,096 characters, takes up to 16 KiB.
 */
export const fieldBytesMax = 65_536

/**
 * Maximum number of parts in a body: far above the service's limit, because one chunk of a body can
 * contain hundreds of parts.
 */
const partMax = 1024

/** Whether a part is a named form field. The parser also accepts other parts. */
const isOfForm = ({ contentDisposition, name }: MultipartParser.PartInfo): boolean =>
  contentDisposition.toLowerCase() === "form-data" && name !== ""

/**
 * Whether a part is a file. RFC 7578 allows a file without a file name, so the name of the part
 * counts too.
 */
const isFile = ({ filename, name }: MultipartParser.PartInfo): boolean =>
  filename !== undefined || name === "file"

type EndEvent = Extract<MultipartEvent, { readonly _tag: "Ended" | "Broken" }>

/** Collects the events since the last read. No events are added after the end of the body. */
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
      // The parser ends an open part before it reports a broken body.
      if (event._tag === "Broken" && /^(?:Field|FileEnded)$/.test(events.at(-1)?._tag ?? "")) {
        events.pop()
      }
      events.push(event)
    },
    take: () => {
      const taken = events
      events = []
      return taken
    }
  }
}

/** Receives the bytes of a part, and then null at its end. */
type PartReader = (bytes: Uint8Array | null) => void

const makeFileReader =
  ({ add }: EventList): PartReader =>
  (bytes) =>
    add(bytes === null ? { _tag: "FileEnded" } : { _tag: "FileBytes", bytes })

/** Decodes strictly and piece by piece: an incomplete character is an error only at the end. */
const makeDecoder = Option.liftThrowable(
  (charset: string) => new TextDecoder(charset, { fatal: true, ignoreBOM: true })
)

const decode = Option.liftThrowable(
  (decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined): string =>
    bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
)

const makeFieldReader = (
  { add, end }: EventList,
  { contentTypeParameters: { charset = "utf-8" }, name }: MultipartParser.PartInfo
): PartReader => {
  const decoder = makeDecoder(charset)
  let bytesLeft = fieldBytesMax
  let isCut = false
  let value = ""
  return (bytes) => {
    const known = bytes?.subarray(0, bytesLeft)
    bytesLeft -= known?.length ?? 0
    const text = isCut ? Option.some("") : Option.flatMap(decoder, (made) => decode(made, known))
    isCut ||= known !== undefined && known.length < (bytes?.length ?? 0)
    if (Option.isNone(text)) return end({ _tag: "Broken" })
    value += text.value
    if (bytes === null) add({ _tag: "Field", name, value })
  }
}

/** Creates a reader for a body with this content type. */
export const makeReader = (contentType: string): MultipartReader => {
  const events = makeEventList()
  const breakOff = () => events.end({ _tag: "Broken" })
  const boundary = readBoundary(contentType)
  const rewrite = boundary === undefined ? () => undefined : makeRewrite(boundary)
  const parser = MultipartParser.make({
    headers: { "content-type": `multipart/form-data; boundary=${JSON.stringify(boundary ?? "")}` },
    // Fields are read piece by piece too, because a long field is cut off here, while the parser
    // would fail.
    isFile: () => true,
    maxParts: partMax,
    onFile: (part) => {
      if (!isOfForm(part)) breakOff()
      if (!isFile(part)) return makeFieldReader(events, part)
      const { contentType, name } = part
      // The parser keeps backslashes, because some clients send whole Windows paths. Such a path
      // contains no quotes, so a backslash before a quote is an escape.
      const filename = (part.filename ?? "").replaceAll('\\"', '"')
      events.add({ _tag: "FileBegan", name, filename, contentType })
      return makeFileReader(events)
    },
    onField: breakOff,
    onError: breakOff,
    onDone: () => events.end({ _tag: "Ended" })
  })
  return {
    write: (bytes) => {
      if (events.isOver()) return []
      const pieces = rewrite(bytes)
      if (pieces === undefined) breakOff()
      else pieces.forEach(parser.write)
      return events.take()
    },
    end: () => {
      if (!events.isOver()) {
        rewrite(null)?.forEach(parser.write)
        parser.end()
      }
      return events.take()
    }
  }
}
