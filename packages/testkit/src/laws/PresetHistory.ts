/**
 * Whether the answers to concurrent writers of one preset can have happened one after the other:
 * successes are put in the order of their revisions and given to the pure machine, and each refusal
 * needs a moment, while it was being asked, in which the machine refuses too.
 */

import * as Preset from "@verbatim/core/preset"
import {
  applyChange,
  applyDesignation,
  applyErasure,
  applyLabelMove,
  applyLabelRemoval,
  listLabels,
  PresetChange,
  type PresetVersion
} from "@verbatim/core/preset"
import { LabelName, type UserId } from "@verbatim/core/workspace"
import { type DateTime, Equal, Result, Schema } from "effect"

/** Versions that writers try to designate; now and then more than there are. */
const versionMax = 6

const version = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: versionMax }))

/** Few, so that writers meet; one of them is a name that every object knows. */
export const labels = ["production", "constructor"] as const

const label = Schema.Literals(labels)

/** What a writer can ask for. */
export const Command = Schema.TaggedUnion({
  Create: { stage: Schema.Boolean },
  /** Makes a version from another one: null for the designated one. */
  Derive: {
    from: Schema.NullOr(version),
    field: Schema.Literals(["temperature", "top_p"]),
    value: Schema.Literals([0, 1]),
    stage: Schema.Boolean
  },
  Designate: { version },
  MoveLabel: { label, version },
  RemoveLabel: { label },
  Erase: { version },
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

/** A preset after a command, and the version that the command is about, if it is about one. */
export interface Answer {
  readonly preset: Preset.Preset
  readonly version: PresetVersion | null
}

/** What became of a command. `began` and `ended` are places in the order of all such moments. */
export interface Call {
  readonly command: Command
  readonly by: UserId
  readonly began: number
  readonly ended: number
  /** The answer, or the name of the refusal. */
  readonly outcome: Result.Result<Answer, string>
}

interface Success extends Call {
  readonly answer: Answer
}

/** A preset, and which of its versions have lost their content. */
interface Moment {
  readonly preset: Preset.State
  readonly erased: ReadonlySet<number>
}

/** A change that happened, and the preset after it. */
export interface Step extends Moment {
  readonly attempt: Success
  /** Who may have made it: others who wanted the same at once are told the same. */
  readonly makers: ReadonlyArray<UserId>
}

type Moved = Result.Result<Preset.State, unknown>

const grow = (
  state: Preset.State | undefined,
  { preset, version }: { readonly preset: Preset.State; readonly version: PresetVersion },
  stage: boolean
): Moved => {
  const { createdAt: at, id: versionId } = version
  if (state === undefined) return Result.succeed(Preset.createPreset({ ...preset, versionId, at }))
  const grown = Preset.nextPreset(state, { at, stage, versionId })
  return Result.fromOption(grown, () => "it takes no version")
}

/** The preset after a command about a version. */
const applyTo = (
  { erased, preset }: Moment,
  { by, command }: Success,
  { at, version: told }: { readonly at: DateTime.Utc; readonly version: PresetVersion }
): Moved => {
  const version = { ...told, erased: erased.has(told.version) ? { at, by } : null }
  switch (command._tag) {
    case "MoveLabel":
      return applyLabelMove(preset, { label: LabelName.make(command.label), version, at })
    case "Erase":
      return applyErasure(preset, { version, by, at })
    default:
      return applyDesignation(preset, { version, at })
  }
}

/** The preset after a command, according to the machine. */
const applyAnswer = (moment: Moment | undefined, success: Success): Moved => {
  const { answer, command } = success
  const { preset, version } = answer
  if (command._tag === "Create") {
    if (version === null) return Result.fail("no version")
    return grow(moment?.preset, { preset, version }, command.stage)
  }
  if (moment === undefined) return Result.fail("there is no preset yet")
  if (command._tag === "Derive") {
    if (version === null) return Result.fail("no version")
    return grow(moment.preset, { preset, version }, command.stage)
  }
  const at = preset.updatedAt
  if (command._tag === "Revise") return applyChange(moment.preset, { change: command.change, at })
  if (command._tag === "RemoveLabel") {
    return applyLabelRemoval(moment.preset, { label: LabelName.make(command.label), at })
  }
  return version === null ? Result.fail("no version") : applyTo(moment, success, { version, at })
}

const leadsTo = (moment: Moment | undefined, success: Success): boolean => {
  const next = applyAnswer(moment, success)
  return Result.isSuccess(next) && Equal.equals(next.success, success.answer.preset)
}

/** Whether a command makes a version. */
export const makesVersion = ({ _tag }: Command): boolean => _tag === "Create" || _tag === "Derive"

/** What has lost its content after a command. */
const erasedAfter = (erased: ReadonlySet<number>, { command }: Success): ReadonlySet<number> =>
  command._tag === "Erase" ? new Set([...erased, command.version]) : erased

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
    const before = steps.at(-1)
    // Of two who wanted the same at once, either may have done it. If the one who began later did,
    // the other was there at that moment too: only the earlier one leaves no moment out.
    const told = all
      .filter(({ answer }) => answer.preset.revision === revision)
      .toSorted((a, b) => a.began - b.began)
    const candidates = told.filter((success) => leadsTo(before, success))
    const [attempt] = candidates
    if (attempt === undefined) return Result.fail(`nothing leads to revision ${revision}`)
    const { preset } = attempt.answer
    const erased = erasedAfter(before?.erased ?? new Set(), attempt)
    const step = { attempt, makers: candidates.map(({ by }) => by), preset, erased }
    steps.push(step)
    // Whoever wanted what was already so got the preset as it was.
    const others = told.filter((success) => success !== attempt)
    if (!others.every((success) => !makesVersion(success.command) && leadsTo(step, success))) {
      return Result.fail(`revision ${revision} was given twice`)
    }
  }
  return Result.succeed(steps)
}

/** The moments of the preset that may have been there while something was asked. */
const statesDuring = (
  steps: ReadonlyArray<Step>,
  { began, ended }: Call
): ReadonlyArray<Moment | undefined> => {
  const last = steps.length
  return [undefined, ...steps].filter((_, index) => {
    const cause = steps[index - 1]
    const end = index < last ? steps[index] : undefined
    return (
      (cause === undefined || cause.attempt.began < ended) &&
      (end === undefined || end.attempt.ended > began)
    )
  })
}

/** Why nothing may point to a version, or undefined when something may. */
const refusalOfVersion = ({ erased, preset }: Moment, version: number): string | undefined => {
  if (version > preset.latestVersion) return "VersionNotFound"
  if (erased.has(version)) return "VersionErased"
  return preset._tag === "Archived" ? "PresetInactive" : undefined
}

const isInUse = ({ designatedVersion, labels }: Preset.State, version: number): boolean =>
  designatedVersion === version || listLabels(labels).some((pointer) => pointer.version === version)

/** Why the machine refuses a command, or undefined when it does not. */
const refusalOf = (moment: Moment, command: Command): string | undefined => {
  const { erased, preset } = moment
  const isArchived = preset._tag === "Archived"
  switch (command._tag) {
    case "Create":
      return isArchived ? "PresetInactive" : undefined
    case "Derive":
      return refusalOfVersion(moment, command.from ?? preset.designatedVersion)
    case "Designate":
    case "MoveLabel":
      return refusalOfVersion(moment, command.version)
    case "RemoveLabel":
      if (isArchived) return "PresetInactive"
      return Object.hasOwn(preset.labels, command.label) ? undefined : "LabelNotFound"
    case "Erase":
      if (command.version > preset.latestVersion) return "VersionNotFound"
      if (erased.has(command.version)) return undefined
      return isInUse(preset, command.version) ? "VersionInUse" : undefined
    case "Revise": {
      const next = applyChange(preset, { change: command.change, at: preset.updatedAt })
      return Result.isFailure(next) ? "PresetInactive" : undefined
    }
  }
}

/** Whether the machine refuses a command at a moment, by that name. */
const refuses = (moment: Moment | undefined, command: Command, refusal: string): boolean =>
  moment === undefined
    ? refusal === "PresetNotFound" && command._tag !== "Create"
    : refusalOf(moment, command) === refusal

const isJustified = (steps: ReadonlyArray<Step>, attempt: Call): boolean =>
  Result.match(attempt.outcome, {
    onSuccess: () => true,
    onFailure: (refusal) =>
      statesDuring(steps, attempt).some((moment) => refuses(moment, attempt.command, refusal))
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
