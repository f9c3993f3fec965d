/**
 * What is done to a preset. Each write names what its reader has seen, so that nobody undoes the
 * work of somebody else; who was slower is told so, and sees what is there now. What is done can
 * be undone, under the same condition.
 */
import { VerbatimError } from "@verbatim/client"
import { api, sentenceOf } from "../Api.ts"
import { may } from "../session/Session.ts"
import { notify } from "../ui/Toasts.tsx"
import type { PresetModel, Standing } from "./PresetModel.ts"
import { type Preset, versionName } from "./PresetTraits.ts"

/** Whether a write came too late: somebody else was quicker. */
export const isConflict = (fault: unknown): boolean =>
  fault instanceof VerbatimError && [409, 412].includes(fault.status)

/** Tells of a write that failed, and shows what is there now. */
const tellFailure = (model: PresetModel, fault: unknown): void => {
  notify(
    isConflict(fault)
      ? `${sentenceOf(fault)}. Somebody was quicker; what you see is read again now.`
      : sentenceOf(fault),
    { isFault: true }
  )
  void model.reload()
}

const attempt = async (model: PresetModel, task: () => Promise<void>): Promise<void> => {
  try {
    await task()
    await model.reload()
  } catch (fault) {
    tellFailure(model, fault)
  }
}

/** Designates a version; undoing it designates the one before. */
export const designate = (
  model: PresetModel,
  { preset }: Standing,
  version: number
): Promise<void> =>
  attempt(model, async () => {
    const before = preset.designated_version?.version
    const { designated_version_id } = await api.presets.designate(model.slug, version, {
      ifMatch: preset.designated_version_id
    })
    const undo = (to: number) => () =>
      void attempt(model, async () => {
        await api.presets.designate(model.slug, to, { ifMatch: designated_version_id })
        notify(`${versionName(to)} is designated again.`)
      })
    notify(
      `${versionName(version)} is designated.`,
      before === undefined ? {} : { undo: undo(before) }
    )
  })

const onlyNew = { "if-none-match": "*" }

/** Points a label to a version; undoing it points it to where it was, or takes it away again. */
export const moveLabel = (
  model: PresetModel,
  { labels }: Standing,
  { label, version }: { readonly label: string; readonly version: number }
): Promise<void> =>
  attempt(model, async () => {
    const before = labels.find((each) => each.label === label)
    const moved = await api.presets.moveLabel(
      model.slug,
      { label, version },
      before === undefined ? { headers: onlyNew } : { ifMatch: before.version_id }
    )
    const undo = (): Promise<void> =>
      attempt(model, async () => {
        const options = { ifMatch: moved.version_id }
        if (before === undefined) await api.presets.removeLabel(model.slug, label, options)
        else await api.presets.moveLabel(model.slug, { label, version: before.version }, options)
        notify(`${label} is as it was.`)
      })
    notify(`${label} points to ${versionName(version)}.`, { undo: () => void undo() })
  })

/** Takes a label away; undoing it puts it back. */
export const removeLabel = (
  model: PresetModel,
  { labels }: Standing,
  label: string
): Promise<void> =>
  attempt(model, async () => {
    const before = labels.find((each) => each.label === label)
    if (before === undefined) return
    await api.presets.removeLabel(model.slug, label, { ifMatch: before.version_id })
    const undo = (): Promise<void> =>
      attempt(model, async () => {
        const { version } = before
        await api.presets.moveLabel(model.slug, { label, version }, { headers: onlyNew })
        notify(`${label} is back.`)
      })
    notify(`${label} is removed.`, { undo: () => void undo() })
  })

/** Changes the status; undoing it brings back the one before. */
export const changeStatus = (
  model: PresetModel,
  { preset }: Standing,
  status: Preset["status"]
): Promise<void> =>
  attempt(model, async () => {
    await api.presets.revise(model.slug, { status })
    const undo = (): Promise<void> =>
      attempt(model, async () => {
        await api.presets.revise(model.slug, { status: preset.status })
        notify(`${model.slug} is ${preset.status} again.`)
      })
    notify(`${model.slug} is ${status}.`, { undo: () => void undo() })
  })

/** Why the session may not move a label; nothing where it may. */
export const whyNotMove = ({ protectedNames }: Standing, label: string): string | undefined =>
  protectedNames.includes(label) && !may(`labels:${label}`)
    ? `${label} is protected: moving it takes a key with the scope labels:${label}.`
    : undefined
