/** Which bytes of a file a request asks for (RFC 9110, 14). Pure. */

/** Bytes from the first one up to and without the second one. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** What to answer: everything, a stretch, or that there are no such bytes. */
export type Wanted =
  | { readonly _tag: "Whole" }
  | ({ readonly _tag: "Part" } & Stretch)
  | { readonly _tag: "Unsatisfiable" }

const whole: Wanted = { _tag: "Whole" }
const unsatisfiable: Wanted = { _tag: "Unsatisfiable" }

/** One stretch: of several, and of other units, everything is sent, as the standard allows. */
const form = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i

/**
 * Reads the headers `Range` and `If-Range`. A range holds for the content that its sender knows: a
 * tag that is weak, a date or another tag asks for everything.
 */
export const readRange = (
  { ifRange, range }: { readonly range: string | undefined; readonly ifRange: string | undefined },
  { byteLength, tag }: { readonly byteLength: number; readonly tag: string }
): Wanted => {
  const found = form.exec((range ?? "").trim())
  if (found === null || (ifRange !== undefined && ifRange.trim() !== tag)) return whole
  const [, first, last, suffix] = found
  if (suffix !== undefined) {
    const from = Math.max(0, byteLength - Number(suffix))
    return from < byteLength ? { _tag: "Part", from, to: byteLength } : unsatisfiable
  }
  const from = Number(first)
  const to = last === undefined ? byteLength : Math.min(byteLength, Number(last) + 1)
  if (last !== undefined && Number(last) < from) return whole
  return from < byteLength ? { _tag: "Part", from, to } : unsatisfiable
}
