/**
 * Implements the tools that wait for a job and read its transcript, with answers of limited size.
 */
import { isFinished, type JobView } from "@verbatim/core/job"
import { Clock, Effect } from "effect"
import {
  type ApiAnswer,
  type Arguments,
  type CallApi,
  InvalidArgument,
  type ToolResult,
  toResult
} from "./ApiCalls.ts"
import type { CalledOperation } from "./ToolArguments.ts"

/** The function that calls the API, and the operation to call. */
interface AboutJob {
  readonly call: CallApi
  readonly operation: CalledOperation
}

/** The format that shows each segment with its position, as needed for corrections. */
export const segmentsFormat = "segments"

/** The bounds of an integer argument. */
interface Bounds {
  readonly name: string
  readonly minimum: number
  readonly maximum: number
  readonly default: number
  readonly description: string
}

/** The integer arguments of tools about jobs. */
export const bounds = {
  /** The maximum wait, which is shorter than the timeouts of clients. */
  seconds: {
    name: "seconds",
    minimum: 0,
    maximum: 25,
    default: 25,
    description: "Number of seconds to wait."
  },
  offset: {
    name: "offset",
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: "The byte to begin at: the `next_offset` of the previous part."
  },
  /** By default, a part has about 5,000 tokens. The maximum is about 25,000. */
  limit: {
    name: "limit",
    minimum: 1_000,
    maximum: 100_000,
    default: 20_000,
    description: "Maximum number of bytes in the part."
  }
} as const satisfies Record<string, Bounds>

/** Builds the JSON Schema of an integer argument. */
export const toIntegerSchema = ({ name: _, ...shape }: Bounds) => ({ type: "integer", ...shape })

const readInteger = (given: Arguments, { maximum, minimum, name, ...bounds }: Bounds) => {
  const value = given[name] ?? bounds.default
  return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
    ? Effect.succeed(Number(value))
    : Effect.fail(
        new InvalidArgument({ name, rule: `must be an integer from ${minimum} to ${maximum}` })
      )
}

const toView = ({ text }: ApiAnswer): JobView => JSON.parse(text)

const nextStep = (view: JobView): string => {
  if (!isFinished(view)) return "Call wait_for_transcription"
  return view.transcription_status === "FAILED"
    ? "There will be no transcript"
    : "Call read_transcription"
}

/** Shows a job without its transcript. */
const showStatus = ({ output: _, ...view }: JobView): ToolResult => ({
  texts: [JSON.stringify({ ...view, ended: isFinished(view), next: nextStep(view) })]
})

/**
 * Maximum number of status changes to wait for. A job has six statuses, and its summary and webhook
 * have fewer.
 */
const changesMax = 20

/** Waits for a job to end, one status change per API call. */
export const waitForEnd = Effect.fnUntraced(function* (
  { call, operation }: AboutJob,
  given: Arguments
) {
  const atMost = yield* readInteger(given, bounds.seconds)
  const end = (yield* Clock.currentTimeMillis) + atMost * 1_000
  for (let change = 1; ; change += 1) {
    const left = Math.max(0, Math.ceil((end - (yield* Clock.currentTimeMillis)) / 1_000))
    const answer = yield* call(operation, { parameters: { id: given.id, wait: left } })
    if (answer.status >= 400) return toResult(answer)
    const view = toView(answer)
    if (isFinished(view) || left === 0 || change === changesMax) return showStatus(view)
  }
})

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Whether a byte belongs to a character that began before it. */
const continues = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000

/** Moves a position back to the beginning of the character that it is in. */
const toStart = (bytes: Uint8Array, position: number): number => {
  let start = Math.min(position, bytes.length)
  while (start > 0 && continues(bytes[start])) start -= 1
  return start
}

/** Returns one part of the text, and the position where the next part begins. */
const toPart = (
  text: string,
  {
    version,
    ...part
  }: { readonly offset: number; readonly limit: number; readonly version?: number }
): ToolResult => {
  const bytes = encoder.encode(text)
  const start = toStart(bytes, part.offset)
  const end = toStart(bytes, start + part.limit)
  const next = end < bytes.length ? end : null
  const where = { offset: start, next_offset: next, total_bytes: bytes.length, version }
  return { texts: [decoder.decode(bytes.subarray(start, end)), JSON.stringify(where)] }
}

/** Whether an answer is the status of a job. A rendering in JSON has no status. */
const isStatus = (view: object): view is JobView => "transcription_status" in view

const readPart = (given: Arguments) =>
  Effect.all({
    offset: readInteger(given, bounds.offset),
    limit: readInteger(given, bounds.limit)
  })

/** Reads a part of a rendering, or the status of an unfinished job. */
export const readTranscript = Effect.fnUntraced(function* (
  { call, operation }: AboutJob,
  { format, ...given }: Arguments
) {
  const part = yield* readPart(given)
  const parameters = { id: given.id, modifier: format ?? "paragraph_text" }
  const answer = yield* Effect.mapError(
    call(operation, { parameters }),
    ({ name, rule }) => new InvalidArgument({ name: name === "modifier" ? "format" : name, rule })
  )
  if (answer.status >= 400) return toResult(answer)
  const view: unknown = answer.isJson ? JSON.parse(answer.text) : undefined
  return isStatus(Object(view)) ? showStatus(Object(view)) : toPart(answer.text, part)
})

/** Reads a part of the segments, with their positions and the version of their corrections. */
export const readSegments = Effect.fnUntraced(function* (
  { call, corrections, operation }: AboutJob & { readonly corrections: CalledOperation },
  given: Arguments
) {
  const part = yield* readPart(given)
  // The version is read first, so that the segments are never older.
  const known = yield* call(corrections, { parameters: { id: given.id, limit: 1 } })
  const answer = yield* call(operation, { parameters: { id: given.id } })
  if (answer.status >= 400) return toResult(answer)
  const view = toView(answer)
  if (view.output === undefined) return showStatus(view)
  const lines = view.output.list.map((segment, index) => JSON.stringify({ index, ...segment }))
  const version = known.status < 400 ? JSON.parse(known.text).version : undefined
  return toPart(lines.join("\n"), { ...part, version })
})
