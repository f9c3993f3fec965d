/**
 * Writes to a preset. Each write and undo names the state that the user has seen, so that it never
 * overwrites other users' changes. After a conflict, the current state is shown.
 */
import { signal } from "@preact/signals"
import { api, isConflict, sentenceOf } from "../Api.ts"
import { goTo } from "../Router.ts"
import { can } from "../session/Session.ts"
import { deletedItems, deleteLater } from "../ui/Deferred.ts"
import { once } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import type { PresetModel, PresetProps, PresetState } from "./PresetModel.ts"
import { type Label, type Preset, type Version, versionName } from "./PresetTraits.ts"

/** Counts the writes, failed ones too, so that the list of presets is read again after each. */
export const presetWrites = signal(0)

/** Names the writes to a part of a preset, which can be undone in reverse order. */
export const seriesOf = ({ slug }: PresetModel, part: string) => `${part} of preset ${slug}`

const notifyFailure = (model: PresetModel, fault: unknown): void => {
  const sentence = `${model.slug}: ${sentenceOf(fault)}`
  const more = ". Someone else changed this preset first; it is being reloaded."
  notify(isConflict(fault) ? sentence + more : sentence, { isFault: true })
  presetWrites.value += 1
  void model.reload()
}

interface Outcome {
  readonly message: string
  readonly changes: Partial<PresetState>
  readonly undo?: (() => Promise<Outcome>) | undefined
}

type Part = Readonly<{ model: PresetModel; name: string }>

/** Shows the result at once, because the next click builds on it, and then reloads. */
const showOutcome = async (part: Part, { changes, message, undo }: Outcome): Promise<void> => {
  const { model, name } = part
  const state = model.state.peek().value
  if (state !== undefined) model.put({ ...state, ...changes })
  const isOver = () => deletedItems.value.has(state?.preset.id ?? "")
  const series = seriesOf(model, name)
  notify(message, undo && { series, isOver, undo: () => void runWrite(part, undo) })
  presetWrites.value += 1
  await model.reload()
}

/** Ignores repeated clicks on one part of a preset until the response arrives. */
const runWrite = async (part: Part, write: () => Promise<Outcome>): Promise<boolean> => {
  try {
    const outcome = await once(seriesOf(part.model, part.name), write)
    if (outcome !== undefined) await showOutcome(part, outcome)
    return outcome !== undefined
  } catch (fault) {
    notifyFailure(part.model, fault)
    return false
  }
}

export const designate = ({ model, state: { preset } }: PresetProps, version: number) => {
  const { slug } = model
  const before = preset.designated_version?.version
  const set = (to: number, over: Preset): Promise<Preset> =>
    api.presets.designate(slug, { version: to }, { ifMatch: over.designated_version_id })
  return runWrite({ model, name: "designation" }, async () => {
    const made = await set(version, preset)
    const undo = (to: number) => async () => ({
      changes: { preset: await set(to, made) },
      message: `${slug}: ${versionName(to)} is live again.`
    })
    return {
      changes: { preset: made },
      message: `${slug}: ${versionName(version)} is live.`,
      undo: before === undefined ? undefined : undo(before)
    }
  })
}

type Moved = Omit<Label, "is_protected">

/** Points a label to a version or, without one, removes it. An undo restores the label. */
export const pointLabel = ({ model, state }: PresetProps, label: string, version?: number) => {
  const { labels, protectedNames } = state
  const { slug } = model
  const set = async (to: number | undefined, over: Moved | undefined) => {
    const condition = over === undefined ? { ifNoneMatch: "*" } : { ifMatch: over.version_id }
    const { move, remove } = api.presets.labels
    if (to !== undefined) return move(slug, label, { version: to }, condition)
    await remove(slug, label, condition)
    return undefined
  }
  const toChanges = (moved: Moved | undefined): Partial<PresetState> => {
    const shown = model.state.peek().value?.labels ?? labels
    const others = shown.filter((each) => each.label !== label)
    const own = moved && { ...moved, is_protected: protectedNames.includes(label) }
    const all = own === undefined ? others : [...others, own]
    return { labels: all.sort((one, other) => (one.label < other.label ? -1 : 1)) }
  }
  return runWrite({ model, name: `label ${label}` }, async () => {
    const before = labels.find((each) => each.label === label)
    const after = await set(version, before)
    const does = version === undefined ? "removed" : `points to ${versionName(version)}`
    return {
      changes: toChanges(after),
      message: `${slug}: ${label} ${does}.`,
      undo: async () => ({
        changes: toChanges(await set(before?.version, after)),
        message: `${slug}: ${label} restored.`
      })
    }
  })
}

type Details = Partial<Pick<Preset, "description" | "name" | "status">>

const revise = async (
  { model: { slug }, state }: PresetProps,
  change: Details
): Promise<Outcome> => {
  const { description, name, status } = state.preset
  const isStatus = change.status !== undefined
  const earlier = isStatus ? { status } : { description, name }
  const preset = await api.presets.revise(slug, change)
  return {
    changes: { preset },
    message: isStatus ? `${slug} is ${preset.status}.` : `${slug}: name and description changed.`,
    undo: async () => ({
      changes: { preset: await api.presets.revise(slug, earlier) },
      message: isStatus ? `${slug} is ${status} again.` : `${slug}: name and description restored.`
    })
  }
}

export const changeStatus = (props: PresetProps, status: Preset["status"]): Promise<boolean> =>
  runWrite({ model: props.model, name: "status" }, () => revise(props, { status }))

/** Rejects if the server refuses the change. */
export const changeDetails = async (props: PresetProps, details: Details): Promise<void> =>
  showOutcome({ model: props.model, name: "details" }, await revise(props, details))

export const eraseVersion = (model: PresetModel, { id, version }: Version): void =>
  deleteLater(id, {
    message: `${model.slug}: content of ${versionName(version)} will be erased`,
    isKept: () => true,
    remove: async () => {
      await api.presets.erase(model.slug, version)
      await model.reload()
    }
  })

export const removePreset = ({ id, slug }: Preset): void => {
  goTo("/presets")
  const remove = () =>
    api.presets.remove(slug).finally(() => {
      presetWrites.value += 1
    })
  deleteLater(id, { message: `${slug} will be removed`, remove })
}

export const moveRefusal = ({ protectedNames }: PresetState, label: string): string | undefined =>
  protectedNames.includes(label) && !can(`labels:${label}`)
    ? `${label} is protected: moving it requires a key with the scope labels:${label}.`
    : undefined
