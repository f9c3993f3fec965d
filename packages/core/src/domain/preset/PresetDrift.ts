/**
 * Whether somebody changed a preset since it was looked at. What is as it was expected, and what is
 * as the file says already, has not drifted: the second is what an earlier try has done.
 */
import type { PresetStatus } from "./PresetChange.ts"
import { isSameContent } from "./PresetContent.ts"
import type { PresetTraits } from "./PresetFile.ts"
import { birthTraits, type HeldVersion, type PlanWanted, pointedOf } from "./PresetPlan.ts"

/** What a preset was like when it was looked at; null when there was none. */
export type ExpectedPreset = {
  /** Whether the version that is pointed to is the one that was; none for a label without one. */
  readonly isPointed: (version: HeldVersion | undefined) => boolean
  /** What was not looked at is not expected. */
  readonly traits: Partial<PresetTraits>
} | null

/** What of a preset is not as it was. */
export type Drifted = "content" | "presence" | keyof PresetTraits

/** The states that a plan passes on its way. */
const between: Readonly<Record<string, ReadonlyArray<PresetStatus>>> = {
  "active archived": ["disabled"],
  "archived disabled": ["active"]
}

const hasDrifted = <K extends keyof PresetTraits>(
  trait: K,
  {
    expected,
    held,
    wanted
  }: Readonly<Record<"held" | "wanted", PresetTraits>> & {
    readonly expected: Partial<PresetTraits>
  }
): boolean => {
  const [was, now, shall] = [expected[trait], held[trait], wanted[trait]]
  if (was === undefined || now === was || now === shall) return false
  const passed = trait === "status" ? (between[`${was} ${shall}`] ?? []) : []
  return !passed.some((status) => status === now)
}

/** What of a preset has drifted. */
export const findDrift = (
  { held, label, wanted }: PlanWanted,
  expected: ExpectedPreset
): ReadonlyArray<Drifted> => {
  if (held === undefined) return expected === null ? [] : ["presence"]
  const pointed = pointedOf(held, label)
  const made = pointed ?? pointedOf(held, null)
  const isThere = pointed !== undefined && isSameContent(pointed, wanted.content)
  const isMade = made !== undefined && isSameContent(made, wanted.content)
  const isContent = expected === null ? isMade : isThere || expected.isPointed(pointed)
  const was = expected === null ? birthTraits(wanted) : expected.traits
  const names = label === null ? (["name", "description", "status"] as const) : []
  return [
    ...(isContent ? [] : ["content" as const]),
    ...names.filter((trait) => hasDrifted(trait, { expected: was, held, wanted }))
  ]
}
