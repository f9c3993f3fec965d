/**
 * What is done to a preset. Each write names what its reader has seen, so that nobody undoes the
 * work of somebody else; who was slower is told so, and sees what is there now. What is done can
 * be undone, under the same condition.
 */
import { VerbatimError } from "@verbatim/client"
import { api, sentenceOf } from "../Api.ts"
import { goTo } from "../Router.ts"
import { may } from "../session/Session.ts"
import { doLater } from "../ui/Deferred.ts"
import { leave } from "../ui/Leaving.ts"
import { notify } from "../ui/Toasts.tsx"
import type { PresetModel, Standing } from "./PresetModel.ts"
import { type Preset, type Version, versionName } from "./PresetTraits.ts"

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

/** What people call a preset, and what it is for. */
export interface Traits {
  readonly name: string
  readonly description: string | null
}

/** Changes name and description; undoing it brings back those before. Gives what was refused. */
export const changeTraits = async (
  model: PresetModel,
  { preset }: Standing,
  traits: Traits
): Promise<string | undefined> => {
  const { description, name } = preset
  try {
    await api.presets.revise(model.slug, traits)
    await model.reload()
  } catch (fault) {
    return sentenceOf(fault)
  }
  const undo = (): Promise<void> =>
    attempt(model, async () => {
      await api.presets.revise(model.slug, { name, description })
      notify("Name and description are as they were.")
    })
  notify("Name and description are changed.", { undo: () => void undo() })
  return undefined
}

/** Erases the content of a version, some seconds later: until then it can be had back. */
export const eraseVersion = (model: PresetModel, { id, version }: Version): void => {
  const takeBack = leave(id)
  doLater({
    said: `The content of ${versionName(version)} is erased.`,
    takeBack,
    run: async () => {
      await attempt(model, async () => {
        await api.presets.erase(model.slug, version)
      })
      takeBack()
    }
  })
}

/** Removes an archived preset for good, some seconds later: until then it can be had back. */
export const removePreset = ({ id, slug }: Preset): void => {
  const takeBack = leave(id)
  goTo("/presets")
  doLater({
    said: `${slug} is removed.`,
    takeBack,
    run: async () => {
      try {
        await api.presets.remove(slug)
      } catch (fault) {
        takeBack()
        notify(sentenceOf(fault), { isFault: true })
      }
    }
  })
}

/** Why the session may not move a label; nothing where it may. */
export const whyNotMove = ({ protectedNames }: Standing, label: string): string | undefined =>
  protectedNames.includes(label) && !may(`labels:${label}`)
    ? `${label} is protected: moving it takes a key with the scope labels:${label}.`
    : undefined
