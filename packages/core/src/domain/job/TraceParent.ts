/**
 * The span that submitted a job, written as `traceparent` of W3C Trace Context: 55 characters that
 * are stored with the job, so that work on it continues the same trace.
 */
import { Option } from "effect"

/** A span of any process, as far as others need to know it. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the trace is to be recorded. */
  readonly sampled: boolean
}

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

const isZero = (id: string): boolean => /^0*$/.test(id)

/** Formats a span context. A short id of another system gets leading zeros. */
export const formatTraceParent = ({ sampled, spanId, traceId }: SpanContext): string =>
  `00-${traceId.padStart(32, "0")}-${spanId.padStart(16, "0")}-${sampled ? "01" : "00"}`

/** Parses a span context; none if it is malformed or of a later version. */
export const parseTraceParent = (text: string): Option.Option<SpanContext> => {
  const [, traceId = "", spanId = "", flags = ""] = pattern.exec(text) ?? []
  if (isZero(traceId) || isZero(spanId)) return Option.none()
  return Option.some({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}
