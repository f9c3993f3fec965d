/**
 * Writes to a preset. Each write names the state that the user has seen, so that a write never
 * overwrites other users' changes. After a conflict, the current state is shown. The same condition
 * applies to an undo.
 */
import { api, isConflict, sentenceOf } from "../Api.ts"
import { goTo } from "../Router.ts"
import { can } from "../session/Session.ts"
import { deleteLater } from "../ui/Deferred.ts"
import { once } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import type { PresetModel, PresetState } from "./PresetModel.ts"
import { type Label, type Preset, type Version, versionName } from "./PresetTraits.ts"

/** Reports a failed write, and reloads the preset. */
const notifyFailure = (model: PresetModel, fault: unknown): void => {
  const sentence = `${model.slug}: ${sentenceOf(fault)}`
  notify(
    isConflict(fault)
      ? `${sentence}. Someone else changed this preset first; it is being reloaded.`
      : sentence,
    { isFault: true }
  )
  void model.reload()
}

/** The result of writing to a preset, with the message to show. */
interface Outcome {
  readonly message: string
  /** The part of the preset's state that the response contains. */
  readonly changes: Partial<PresetState>
  readonly undo?: () => Promise<Outcome>
}

/** Runs a write and shows its result. Returns whether the write succeeded. */
const runWrite = async (
  model: PresetModel,
  write: () => Promise<Outcome | undefined>
): Promise<boolean> => {
  try {
    const outcome = await write()
    if (outcome === undefined) return false
    const { changes, message, undo } = outcome
    // The change is shown at once, because the next click builds on it even if reloading is slow.
    const state = model.state.peek().value
    if (state !== undefined) model.put({ ...state, ...changes })
    notify(message, undo === undefined ? {} : { undo: () => void runWrite(model, undo) })
    await model.reload()
    return true
  } catch (fault) {
    notifyFailure(model, fault)
    return false
  }
}

/**
 * Changes one part of a preset, and ignores repeated clicks until the response arrives. Other parts
 * can be changed at the same time.
 */
const runWriteOnce = (
  model: PresetModel,
  thing: string,
  write: () => Promise<Outcome>
): Promise<boolean> => runWrite(model, () => once(`${thing} of preset ${model.slug}`, write))

/** Makes a version live. An undo makes the previous version live again. */
export const designate = (
  model: PresetModel,
  { preset }: PresetState,
  version: number
): Promise<boolean> => {
  const before = preset.designated_version?.version
  const set = (to: number, ifMatch: string | null): Promise<Preset> =>
    api.presets.designate(model.slug, { version: to }, { ifMatch })
  return runWriteOnce(model, "designation", async () => {
    const made = await set(version, preset.designated_version_id)
    const undo = (to: number) => async () => ({
      changes: { preset: await set(to, made.designated_version_id) },
      message: `${model.slug}: ${versionName(to)} is live again.`
    })
    return {
      changes: { preset: made },
      message: `${model.slug}: ${versionName(version)} is live.`,
      ...(before === undefined ? {} : { undo: undo(before) })
    }
  })
}

const onlyNew = { ifNoneMatch: "*" }

/** The version that a label points to. Undefined if the label was removed. */
type Target = Omit<Label, "is_protected"> | undefined

/** Returns the labels after one of them was moved or removed. */
const withLabel = (model: PresetModel, label: string, target: Target): Partial<PresetState> => {
  const { labels = [], protectedNames = [] } = model.state.peek().value ?? {}
  const others = labels.filter((each) => each.label !== label)
  if (target === undefined) return { labels: others }
  const own = { ...target, is_protected: protectedNames.includes(label) }
  return { labels: [...others, own].sort((one, other) => (one.label < other.label ? -1 : 1)) }
}

/** Points a label to a version. An undo moves the label back, or removes a new label. */
export const moveLabel = (
  model: PresetModel,
  { labels }: PresetState,
  { label, version }: { readonly label: string; readonly version: number }
): Promise<boolean> =>
  runWriteOnce(model, `label ${label}`, async () => {
    const { move, remove } = api.presets.labels
    const before = labels.find((each) => each.label === label)
    const options = before === undefined ? onlyNew : { ifMatch: before.version_id }
    const moved = await move(model.slug, label, { version }, options)
    const moveBack = async (): Promise<Target> => {
      const ifMatch = moved.version_id
      if (before !== undefined)
        return move(model.slug, label, { version: before.version }, { ifMatch })
      await remove(model.slug, label, { ifMatch })
      return undefined
    }
    return {
      changes: withLabel(model, label, moved),
      message: `${model.slug}: ${label} points to ${versionName(version)}.`,
      undo: async () => ({
        changes: withLabel(model, label, await moveBack()),
        message: `${model.slug}: ${label} restored.`
      })
    }
  })

/** Removes a label. An undo restores the label. */
export const removeLabel = (model: PresetModel, before: Label): Promise<boolean> =>
  runWriteOnce(model, `label ${before.label}`, async () => {
    const { label, version, version_id } = before
    await api.presets.labels.remove(model.slug, label, { ifMatch: version_id })
    const undo = async () => {
      const back = await api.presets.labels.move(model.slug, label, { version }, onlyNew)
      return {
        changes: withLabel(model, label, back),
        message: `${model.slug}: ${label} restored.`
      }
    }
    const message = `${model.slug}: ${label} removed.`
    return { changes: withLabel(model, label, undefined), message, undo }
  })

/** Changes a preset's status. An undo restores the previous status. */
export const changeStatus = (
  model: PresetModel,
  { preset }: PresetState,
  status: Preset["status"]
): Promise<boolean> =>
  runWriteOnce(model, "status", async () => {
    const set = (to: Preset["status"]) => api.presets.revise(model.slug, { status: to })
    return {
      changes: { preset: await set(status) },
      message: `${model.slug} is ${status}.`,
      undo: async () => ({
        changes: { preset: await set(preset.status) },
        message: `${model.slug} is ${preset.status} again.`
      })
    }
  })

export interface Details {
  readonly name: string
  readonly description: string | null
}

/**
 * Changes the name and the description. An undo restores both. Rejects if the server refuses the
 * change.
 */
export const changeDetails = async (
  model: PresetModel,
  { preset }: PresetState,
  details: Details
): Promise<void> => {
  const { description, name } = preset
  const changed = await api.presets.revise(model.slug, details)
  await runWrite(model, async () => ({
    changes: { preset: changed },
    message: `${model.slug}: name and description changed.`,
    undo: async () => ({
      changes: { preset: await api.presets.revise(model.slug, { name, description }) },
      message: `${model.slug}: name and description restored.`
    })
  }))
}

/** Erases a version's content after a few seconds. Until then, the user can undo the erasure. */
export const eraseVersion = (model: PresetModel, { id, version }: Version): void =>
  deleteLater(id, {
    message: `${model.slug}: content of ${versionName(version)} erased.`,
    staysVisible: true,
    remove: async () => {
      await api.presets.erase(model.slug, version)
      await model.reload()
    }
  })

/**
 * Removes an archived preset permanently after a few seconds. Until then, the user can undo the
 * removal.
 */
export const removePreset = ({ id, slug }: Preset): void => {
  goTo("/presets")
  deleteLater(id, { message: `${slug} removed.`, remove: () => api.presets.remove(slug) })
}

/** Returns why the session cannot move a label, or undefined if the session can. */
export const moveRefusal = ({ protectedNames }: PresetState, label: string): string | undefined =>
  protectedNames.includes(label) && !can(`labels:${label}`)
    ? `${label} is protected: moving it requires a key with the scope labels:${label}.`
    : undefined
