/**
 * Downloads files that this program itself needs, such as models. A download can start at an
 * offset, so that an interrupted download can be resumed.
 */
import { type Duration, Effect, type Scope, type Stream } from "effect"
import type { Guard } from "./Guard.ts"
import { type OutboundError, within } from "./OutboundError.ts"
import { contentOf, fileHeaders, followRedirects } from "./RemoteFile.ts"

/** A file's content, from an offset to the end of the file. */
export interface Download {
  /** Position of the first byte: the requested offset, or 0 if the server ignores offsets. */
  readonly offset: number
  readonly content: Stream.Stream<Uint8Array, OutboundError>
}

const startOf = (range: unknown): number =>
  typeof range === "string" ? Number(/^bytes (\d{1,15})-/.exec(range)?.[1] ?? 0) : 0

/**
 * Starts downloading a file. Fails if there is no response within the timeout; the content may take
 * longer.
 */
export const open = (
  wanted: {
    readonly url: string
    readonly offset: number
    readonly timeout: Duration.Duration
  },
  guard: Guard
): Effect.Effect<Download, OutboundError, Scope.Scope> => {
  const headers = {
    ...fileHeaders,
    ...(wanted.offset > 0 && { range: `bytes=${wanted.offset}-` })
  }
  return followRedirects({ url: wanted.url, headers }, guard).pipe(
    within(wanted.timeout),
    Effect.map((answer) => ({
      offset: answer.status === 206 ? startOf(answer.headers["content-range"]) : 0,
      content: contentOf(answer, guard.limits)
    }))
  )
}
