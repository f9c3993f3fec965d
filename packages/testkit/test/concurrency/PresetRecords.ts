/** One preset, and what is asked of it and answered, for histories written by hand. */
import {
  designationOf,
  firstPreset,
  moveBetween,
  nextPreset,
  type Preset,
  type PresetVersion,
  transition,
  versionOf
} from "@verbatim/core/preset"
import { Option, Result } from "effect"
import {
  draftOf,
  labelMoveDigest,
  type PresetChange,
  presetEventOf,
  sightOf
} from "#src/concurrency/questions/PresetChange"
import { userId } from "#src/samples/Ids"
import { label } from "#src/samples/SamplePreset"
import { answered } from "./Records.ts"

export const slug = "support"

type Interval = readonly [invoked: number, returned: number]

const designated = (...drafted: Parameters<typeof designationOf>) =>
  Option.getOrThrow(designationOf(...drafted))

/** Versions by their numbers, one after the other: the preset then, and what is listed of it. */
export const grow = (first: number, ...others: ReadonlyArray<number>) => {
  const draft = draftOf(slug, first)
  let preset = firstPreset(draft)
  let version = versionOf(preset, draft)
  const versions = [version]
  const designations = [{ ...designated(preset, draft), from: null as number | null }]
  for (const number of others) {
    const next = draftOf(slug, number)
    const from = preset.designatedVersion
    preset = Option.getOrThrow(nextPreset(preset, next))
    version = versionOf(preset, next)
    versions.push(version)
    designations.push({ ...designated(preset, next), from })
  }
  return { preset, version, versions, designations }
}

type Grown = { readonly preset: Preset; readonly version: PresetVersion }

/** The version of that number is appended, and the preset is as `grown` then. */
export const appended = (number: number, when: Interval, grown: Grown = grow(number)) =>
  answered("append", { question: { slug, version: number }, answer: sightOf(grown), when })

export const revised = (when: Interval, wish: Partial<PresetChange> = {}) =>
  answered("revise", {
    question: {
      slug,
      change: {
        expectedRevision: 1,
        event: "Described",
        number: 70,
        version: { ordinal: 1, number: 50 },
        ...wish
      }
    },
    answer: null,
    when
  })

/** A move of `production`, by somebody whom its protection stops. */
export const moved = (when: Interval) =>
  revised(when, { event: "LabelMoved", label: "production", isFree: true })

/** What is listed of that move, as the first one. */
export const listedMove = (when: Interval) => {
  const { preset } = grow(50)
  const event = presetEventOf({ ...moved(when).question.change })
  const next = Result.getOrThrow(transition(preset, event))
  const move = moveBetween({ before: preset, next }, { by: userId(1), label: label("production") })
  return answered("labelMoves", { question: { slug }, answer: ["", labelMoveDigest(move)], when })
}

/** An operator protects `production`, or lifts that. */
export const decided = (ask: "protect" | "unprotect", when: Interval) =>
  answered(ask, { question: { label: "production" }, answer: null, when })

export const listedVersions = (answer: ReadonlyArray<string>, when: Interval) =>
  answered("versions", { question: { slug }, answer, when })

export const listedDesignations = (answer: ReadonlyArray<string>, when: Interval) =>
  answered("designations", { question: { slug }, answer, when })
