/**
 * Where in a trace a job was submitted, written as `traceparent` of W3C Trace Context: 55
 * characters that travel with the job, so that whoever works on it goes on with the same trace.
 */
import { Option } from "effect"

/** A span of any process, as far as others have to know it. */
export interface SpanPlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether whoever began the trace wants it to be recorded. */
  readonly sampled: boolean
}

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

const isZero = (id: string): boolean => /^0*$/.test(id)

/** The text of a place. A short id of another system gets leading zeros. */
export const formatTraceParent = ({ sampled, spanId, traceId }: SpanPlace): string =>
  `00-${traceId.padStart(32, "0")}-${spanId.padStart(16, "0")}-${sampled ? "01" : "00"}`

/** The place that a text names; none for anything malformed, or of a later version. */
export const parseTraceParent = (text: string): Option.Option<SpanPlace> => {
  const [, traceId = "", spanId = "", flags = ""] = pattern.exec(text) ?? []
  if (isZero(traceId) || isZero(spanId)) return Option.none()
  return Option.some({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}
