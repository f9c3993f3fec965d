/**
 * What a store must keep of a history of writers: the designations, the moves of labels and the
 * erasures that follow from it.
 */
import {
  type Designation,
  eraseContent,
  type LabelMove,
  moveBetween,
  type PresetVersion
} from "@verbatim/core/preset"
import { LabelName, type UserId } from "@verbatim/core/workspace"
import { makesVersion, type Step } from "./PresetHistory.ts"

/** Whether a change designated a version. */
const designates = ({ attempt: { answer, command }, preset }: Step): boolean =>
  command._tag === "Designate" ||
  (makesVersion(command) && preset.designatedVersionId === answer.version?.id)

/** The history of designations that follows from the changes. */
export const designationsOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Designation> =>
  steps.flatMap((step, index) =>
    designates(step)
      ? [
          {
            presetId: step.preset.id,
            revision: step.preset.revision,
            from: steps[index - 1]?.preset.designatedVersion ?? null,
            to: step.preset.designatedVersion,
            by: step.attempt.by,
            at: step.preset.updatedAt
          }
        ]
      : []
  )

/** The history of a label that follows from the changes. */
export const labelMovesOf = (steps: ReadonlyArray<Step>, label: string): ReadonlyArray<LabelMove> =>
  steps.flatMap(({ attempt: { by, command }, preset: next }, index) => {
    const isMove = command._tag === "MoveLabel" || command._tag === "RemoveLabel"
    const before = steps[index - 1]?.preset
    return isMove && command.label === label && before !== undefined
      ? [moveBetween({ before, next }, { by, label: LabelName.make(label) })]
      : []
  })

/** A version as it is stored after the changes. */
export const toStored =
  (steps: ReadonlyArray<Step>) =>
  (version: PresetVersion): PresetVersion => {
    const erasing = steps.find(
      ({ attempt: { command } }) => command._tag === "Erase" && command.version === version.version
    )
    if (erasing === undefined) return version
    const { attempt, preset } = erasing
    return eraseContent(version, { at: preset.updatedAt, by: attempt.by })
  }

/** What was kept of a change, by whom the history takes for its maker, where it may be so. */
export const ascribe = <Kept extends { readonly revision: number; readonly by: UserId }>(
  steps: ReadonlyArray<Step>,
  kept: ReadonlyArray<Kept>
): ReadonlyArray<Kept> =>
  kept.map((each) => {
    const step = steps.find(({ preset }) => preset.revision === each.revision)
    return step?.makers.includes(each.by) === true ? { ...each, by: step.attempt.by } : each
  })
