/**
 * A form with one file, as `multipart/form-data`, written by hand so that its length is known
 * before its first byte is sent: simple servers refuse chunked bodies. Pure.
 */
import { Stream } from "effect"

/** A field of text; a list is the same name several times. */
export type Field = readonly [name: string, value: string]

/** A form to send. */
export interface Form<E> {
  readonly fields: ReadonlyArray<Field>
  readonly file: {
    readonly name: string
    readonly contentType: string
    readonly content: Stream.Stream<Uint8Array, E>
    readonly byteLength: number
  }
  /** It does not occur in the content: it is random, and long enough. */
  readonly boundary: string
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** What goes around the file; our own names, so nothing in them needs escaping. */
const frame = ({ boundary, fields, file }: Form<unknown>) => ({
  head: encode(
    [
      ...fields.map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      ),
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\n`,
      `Content-Type: ${file.contentType}\r\n\r\n`
    ].join("")
  ),
  tail: encode(`\r\n--${boundary}--\r\n`)
})

/** The form as a body. */
export const body = <E>(form: Form<E>) => {
  const { head, tail } = frame(form)
  return {
    contentType: `multipart/form-data; boundary=${form.boundary}`,
    content: Stream.make(head).pipe(
      Stream.concat(form.file.content),
      Stream.concat(Stream.make(tail))
    ),
    byteLength: head.byteLength + form.file.byteLength + tail.byteLength
  }
}
