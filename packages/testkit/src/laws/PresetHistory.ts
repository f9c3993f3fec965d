/**
 * Whether the answers to concurrent writers of one preset can have happened one after the other:
 * successes are put in the order of their revisions and given to the pure machine, and each refusal
 * needs a moment, while it was being asked, in which the machine refuses too.
 */

import * as Preset from "@verbatim/core/preset"
import {
  applyChange,
  applyDesignation,
  type DesignatedPreset,
  type Designation,
  PresetChange
} from "@verbatim/core/preset"
import type { UserId } from "@verbatim/core/workspace"
import { Equal, Result, Schema } from "effect"

/** Versions that writers try to designate; now and then more than there are. */
const versionMax = 6

/** What a writer can ask for. */
export const Command = Schema.TaggedUnion({
  Create: {},
  Designate: { version: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: versionMax })) },
  Revise: {
    change: Schema.Struct({
      status: PresetChange.fields.status,
      // Few values, so that some changes change nothing.
      name: Schema.optionalKey(Schema.Literals(["a", "b"])),
      description: Schema.optionalKey(Schema.NullOr(Schema.Literals(["", "c"])))
    })
  }
})
export type Command = typeof Command.Type

/** What became of a command. `began` and `ended` are places in the order of all such moments. */
export interface Call {
  readonly command: Command
  readonly by: UserId
  readonly began: number
  readonly ended: number
  /** The answer, or the name of the refusal. */
  readonly outcome: Result.Result<DesignatedPreset, string>
}

interface Success extends Call {
  readonly answer: DesignatedPreset
}

/** A change that happened, and the preset after it. */
export interface Step {
  readonly attempt: Success
  /** Who may have made it: others who wanted the same at once are told the same. */
  readonly makers: ReadonlyArray<UserId>
  readonly preset: Preset.State
}

type Moved = Result.Result<Preset.State, unknown>

/** The preset after a command, according to the machine. */
const applyAnswer = (state: Preset.State | undefined, { answer, command }: Success): Moved => {
  const { preset, version } = answer
  if (command._tag === "Create" && state === undefined) {
    return Result.succeed(
      Preset.createPreset({ ...preset, versionId: version.id, at: version.createdAt })
    )
  }
  if (state === undefined) return Result.fail("there is no preset yet")
  switch (command._tag) {
    case "Create": {
      const event = { at: version.createdAt, versionId: version.id }
      return Preset.transition(state, Preset.Event.cases.VersionAdded.make(event))
    }
    case "Designate":
      return applyDesignation(state, { version, at: preset.updatedAt })
    case "Revise":
      return applyChange(state, { change: command.change, at: preset.updatedAt })
  }
}

const leadsTo = (state: Preset.State | undefined, success: Success): boolean => {
  const next = applyAnswer(state, success)
  return Result.isSuccess(next) && Equal.equals(next.success, success.answer.preset)
}

const successes = (attempts: ReadonlyArray<Call>): ReadonlyArray<Success> =>
  attempts.flatMap((attempt) =>
    Result.isSuccess(attempt.outcome) ? [{ ...attempt, answer: attempt.outcome.success }] : []
  )

/** What is wrong with a history, in words. */
type Wrong = string

/** Puts successes in the order of their revisions; each of them must be a move of the machine. */
const replay = (all: ReadonlyArray<Success>): Result.Result<ReadonlyArray<Step>, Wrong> => {
  const revisions = [...new Set(all.map(({ answer }) => answer.preset.revision))]
  const steps: Array<Step> = []
  for (const revision of revisions.sort((a, b) => a - b)) {
    const before = steps.at(-1)?.preset
    // Of two who wanted the same at once, either may have done it. If the one who began later did,
    // the other was there at that moment too: only the earlier one leaves no moment out.
    const told = all
      .filter(({ answer }) => answer.preset.revision === revision)
      .toSorted((a, b) => a.began - b.began)
    const candidates = told.filter((success) => leadsTo(before, success))
    const [attempt] = candidates
    if (attempt === undefined) return Result.fail(`nothing leads to revision ${revision}`)
    const { preset } = attempt.answer
    steps.push({ attempt, makers: candidates.map(({ by }) => by), preset })
    // Whoever wanted what was already so got the preset as it was.
    const others = told.filter((success) => success !== attempt)
    if (!others.every((success) => success.command._tag !== "Create" && leadsTo(preset, success))) {
      return Result.fail(`revision ${revision} was given twice`)
    }
  }
  return Result.succeed(steps)
}

/** The states of the preset that may have been there while something was asked. */
const statesDuring = (
  steps: ReadonlyArray<Step>,
  { began, ended }: Call
): ReadonlyArray<Preset.State | undefined> => {
  const last = steps.length
  return [undefined, ...steps.map(({ preset }) => preset)].filter((_, index) => {
    const cause = steps[index - 1]
    const end = index < last ? steps[index] : undefined
    return (
      (cause === undefined || cause.attempt.began < ended) &&
      (end === undefined || end.attempt.ended > began)
    )
  })
}

/** Whether the machine refuses a command in a state, by that name. */
const refuses = (state: Preset.State | undefined, command: Command, refusal: string): boolean => {
  if (state === undefined) return refusal === "PresetNotFound" && command._tag !== "Create"
  switch (command._tag) {
    case "Create":
      return refusal === "Archived" && state._tag === "Archived"
    case "Designate":
      return command.version > state.latestVersion
        ? refusal === "VersionNotFound"
        : refusal === "PresetInactive" && state._tag === "Archived"
    case "Revise": {
      const next = applyChange(state, { change: command.change, at: state.updatedAt })
      return refusal === "PresetInactive" && Result.isFailure(next)
    }
  }
}

const isJustified = (steps: ReadonlyArray<Step>, attempt: Call): boolean =>
  Result.match(attempt.outcome, {
    onSuccess: () => true,
    onFailure: (refusal) =>
      statesDuring(steps, attempt).some((state) => refuses(state, attempt.command, refusal))
  })

/** A change that took effect before another one that had ended when it began. */
const outOfOrder = (steps: ReadonlyArray<Step>): Step | undefined =>
  steps.find(({ attempt }, index) =>
    steps.slice(index + 1).some((later) => later.attempt.ended < attempt.began)
  )

/** The changes in their order, or why there is no such order. */
export const explain = (attempts: ReadonlyArray<Call>): Result.Result<ReadonlyArray<Step>, Wrong> =>
  Result.flatMap(replay(successes(attempts)), (steps) => {
    const late = outOfOrder(steps)
    if (late !== undefined) return Result.fail(`revision ${late.preset.revision} came too early`)
    const stray = attempts.find((attempt) => !isJustified(steps, attempt))
    return stray === undefined
      ? Result.succeed(steps)
      : Result.fail(`no reason to refuse ${stray.command._tag}`)
  })

/** The history of designations that follows from the changes. */
export const designationsOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Designation> =>
  steps.flatMap(({ attempt, preset }, index) =>
    attempt.command._tag === "Revise"
      ? []
      : [
          {
            presetId: preset.id,
            revision: preset.revision,
            from: steps[index - 1]?.preset.designatedVersion ?? null,
            to: preset.designatedVersion,
            by: attempt.by,
            at: preset.updatedAt
          }
        ]
  )

/** Stored designations, each by whom the history takes for its maker, where it may be so. */
export const ascribe = (
  steps: ReadonlyArray<Step>,
  stored: ReadonlyArray<Designation>
): ReadonlyArray<Designation> =>
  stored.map((designation) => {
    const step = steps.find(({ preset }) => preset.revision === designation.revision)
    return step?.makers.includes(designation.by) === true
      ? { ...designation, by: step.attempt.by }
      : designation
  })
