/**
 * What callers may be told. True time is known here, and what every reference meant at every
 * instant; the program knows neither.
 */
import type { PinLimits } from "@verbatim/resolution/pins"
import type { Violation } from "../audit/Violation.ts"
import type { Registry } from "./Registry.ts"
import type { Absence, Fault } from "./Wire.ts"

/** What a caller was told. */
export type Told =
  | {
      readonly _tag: "Means"
      readonly versionId: string
      readonly ageMillis: number
      readonly isStale: boolean
    }
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Unavailable" }
  /** By its own signal. */
  | { readonly _tag: "Aborted" }
  | { readonly _tag: "Broken"; readonly error: string }

/** A call with its end, in true time. */
export interface Call {
  readonly life: number
  readonly reference: string
  readonly calledAt: number
  readonly toldAt: number
  /** When its signal was aborted, or would have been. */
  readonly abortsAt: number | undefined
  readonly told: Told
  /** Sleep that no clock told of, in this life. */
  readonly hiddenMillis: number
  /** How far the wall clock was set back in all lives. */
  readonly setBackMillis: number
  /** Whether the wall clock was set forth in this life: then ages seem longer. */
  readonly wasSetForth: boolean
  /** Whether references may have been forgotten for room. */
  readonly mayForget: boolean
  /** How long the machine slept meanwhile. */
  readonly sleptMillis: number
}

/** What the audit knows. */
export interface Evidence {
  readonly registry: Registry
  readonly limits: PinLimits
  readonly faults: ReadonlyArray<Fault>
  readonly absences: ReadonlyArray<Absence>
  /** In the order of their ends. */
  readonly calls: ReadonlyArray<Call>
  /** From then on nothing fails, and all trouble is over. */
  readonly calmAt: number
}

/** For so long after a failure an old answer is given at once. */
const troubleMillis = 30_000

const means = ({ told }: Call) => (told._tag === "Means" ? told : undefined)

/** Never older than `maxAge` when it was asked for, unless it says so. */
const isYoung = (call: Call, { limits, registry }: Evidence): boolean => {
  const told = means(call)
  if (told === undefined || told.isStale) return true
  const from = call.calledAt - limits.maxAge - call.hiddenMillis
  return registry.meant(call.reference, told.versionId, { from, to: call.toldAt })
}

/** It is no older than it says. */
const saysItsAge = (call: Call, { registry }: Evidence): boolean => {
  const told = means(call)
  if (told === undefined) return true
  const left = told.isStale && call.life > 0 ? call.setBackMillis : 0
  const from = call.toldAt - told.ageMillis - call.hiddenMillis - left
  return registry.meant(call.reference, told.versionId, { from, to: call.toldAt })
}

const isBounded = (call: Call, { limits }: Evidence): boolean => {
  const told = means(call)
  if (told === undefined) return true
  if (told.isStale) return told.ageMillis < limits.maxAge + limits.staleIfError
  // The time that the caller waited itself is no fault of the cache.
  const waited = call.toldAt - call.calledAt
  return call.wasSetForth || told.ageMillis <= limits.maxAge + waited
}

/** An error is the truth, as young as an answer must be. */
const isTrulyGone = (call: Call, { limits, registry }: Evidence): boolean => {
  if (call.told._tag !== "Gone") return true
  const from = call.calledAt - limits.maxAge - call.hiddenMillis
  return registry.meant(call.reference, undefined, { from, to: call.toldAt })
}

/** Nobody is told that the registry is away, or anything old, while everything arrives. */
const hasReason = (call: Call, { faults }: Evidence): boolean => {
  const told = means(call)
  if (call.told._tag !== "Unavailable" && !told?.isStale) return true
  const from = call.calledAt - troubleMillis - call.hiddenMillis
  const isNear = (fault: Fault) => fault.from <= call.toldAt && fault.to >= from
  return faults.some((fault) => fault.reference === call.reference && isNear(fault))
}

/** A caller waits no longer than its own signal, and than a question may take. */
const isInTime = (call: Call, { limits }: Evidence): boolean => {
  const slept = call.sleptMillis
  const latest = call.calledAt + limits.timeoutMillis + slept + 100
  return call.toldAt <= Math.min(latest, (call.abortsAt ?? latest) + slept)
}

const isOwnAbort = ({ abortsAt, told, toldAt }: Call): boolean =>
  told._tag !== "Aborted" || (abortsAt !== undefined && toldAt >= abortsAt)

/** Once the network is well again, everybody is told what is. */
const isCalm = (call: Call, { calmAt }: Evidence): boolean => {
  if (call.calledAt < calmAt) return true
  return means(call)?.isStale !== true && call.told._tag !== "Unavailable"
}

/** After an error nothing older is given. */
const staysGone = (call: Call, { absences, calls, registry }: Evidence): boolean => {
  const told = means(call)
  if (told === undefined) return true
  const seen = calls.filter(
    (other) =>
      other.reference === call.reference &&
      other.told._tag === "Gone" &&
      other.toldAt < call.calledAt &&
      other.life === call.life
  )
  return seen.every(({ calledAt, reference, sleptMillis, toldAt }) => {
    const since = calledAt - sleptMillis
    const reads = absences
      .filter((each) => each.reference === reference)
      .filter(({ arrivedAt }) => arrivedAt >= since && arrivedAt <= toldAt)
      .map(({ readAt }) => readAt)
    const from = reads.length === 0 ? 0 : Math.min(...reads)
    return registry.meant(reference, told.versionId, { from, to: call.toldAt })
  })
}

/** What was good a while ago is given when there is nothing better. */
const keepsLastKnown = (call: Call, { absences, calls, limits }: Evidence): boolean => {
  if (call.told._tag !== "Unavailable") return true
  if (call.mayForget || call.wasSetForth) return true
  const ofThis = calls.filter(
    (other) =>
      other.life === call.life &&
      other.reference === call.reference &&
      other.toldAt <= call.calledAt
  )
  const last = ofThis.findLast((other) => means(other) !== undefined)
  const told = last && means(last)
  if (last === undefined || told === undefined || told.isStale) return true
  // The error may have come to somebody else, or to nobody.
  const wasGone = absences.some(
    ({ arrivedAt, reference }) =>
      reference === call.reference && arrivedAt >= last.calledAt && arrivedAt <= call.toldAt
  )
  if (wasGone) return true
  const age = told.ageMillis + call.toldAt - last.toldAt
  // Of questions that overlap one alone is kept, and that may be the older one.
  return age >= limits.maxAge + limits.staleIfError - limits.timeoutMillis
}

const laws: Readonly<Record<string, (call: Call, evidence: Evidence) => boolean>> = {
  "never older than maxAge unless it says so": isYoung,
  "no older than it says": saysItsAge,
  "never older than maxAge and staleIfError": isBounded,
  "an error is true": isTrulyGone,
  "nothing fails while everything arrives": hasReason,
  "nobody waits longer than its own signal": isInTime,
  "an abort ends its own call alone": isOwnAbort,
  "after trouble everything is well": isCalm,
  "after an error nothing old is given": staysGone,
  "the last known answer is kept": keepsLastKnown,
  "nothing else is thrown": ({ told }) => told._tag !== "Broken"
}

/** Every law that a call breaks. */
export const auditCalls = (evidence: Evidence): ReadonlyArray<Violation> =>
  evidence.calls.flatMap((call) =>
    Object.entries(laws)
      .filter(([, holds]) => !holds(call, evidence))
      .map(([rule]) => ({ rule, what: JSON.stringify(call) }))
  )
