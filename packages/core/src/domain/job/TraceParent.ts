/**
 * The span in which a job was submitted, in the `traceparent` format of W3C Trace Context: 55
 * characters. They are stored with the job, so that work on the job continues the same trace.
 */
import { Option } from "effect"

/** The fields of a span that other processes need to continue its trace. */
export interface SpanContext {
  /** The id of the trace: 32 hexadecimal digits. */
  readonly traceId: string
  /** The id of the span: 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the trace is recorded. */
  readonly sampled: boolean
}

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

const isZero = (id: string): boolean => /^0*$/.test(id)

/** Formats a span context. A short id from another system gets leading zeros. */
export const formatTraceParent = ({ sampled, spanId, traceId }: SpanContext): string =>
  `00-${traceId.padStart(32, "0")}-${spanId.padStart(16, "0")}-${sampled ? "01" : "00"}`

/** Parses a span context; returns none if it is malformed or has a later version. */
export const parseTraceParent = (text: string): Option.Option<SpanContext> => {
  const [, traceId = "", spanId = "", flags = ""] = pattern.exec(text) ?? []
  if (isZero(traceId) || isZero(spanId)) return Option.none()
  return Option.some({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}
