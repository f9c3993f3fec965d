/** Text that is printed to standard error while it is recognised; the transcript can differ. */
import { clock } from "@verbatim/core/rendering"
import { makeSwitch } from "../flags.ts"
import { printable } from "../operation.ts"

/** The flag of commands that wait for a transcript. */
export const liveFlag = makeSwitch(
  "live",
  "Print text to standard error while it is recognised; it is not final"
)

/** Formats segments as lines with their times. */
export const toLines = (
  segments: ReadonlyArray<{ readonly start: string; readonly text: string }>
): ReadonlyArray<string> =>
  segments.map(
    ({ start, text }) => `${clock(Math.round(Number(start) * 1_000))}  ${printable(text.trim())}`
  )
