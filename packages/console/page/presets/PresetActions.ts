/**
 * What is done to a preset. Each write names what its reader has seen, so that nobody undoes the
 * work of somebody else; who was slower is told so, and sees what is there now. What is done can
 * be undone, under the same condition.
 */
import { VerbatimError } from "@verbatim/client"
import { api, sentenceOf } from "../Api.ts"
import { goTo } from "../Router.ts"
import { may } from "../session/Session.ts"
import { removeLater } from "../ui/Deferred.ts"
import { once } from "../ui/SteadyHand.ts"
import { notify } from "../ui/Toasts.tsx"
import type { PresetModel, Standing } from "./PresetModel.ts"
import { type Label, type Preset, type Version, versionName } from "./PresetTraits.ts"

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

/** What came of a write. */
interface Outcome {
  readonly said?: string
  /** The part of how the preset stands now that the answer tells. */
  readonly stands?: Partial<Standing>
  readonly undo?: () => Promise<boolean>
}

type Write = () => Promise<Outcome | undefined>

/** Makes a write, shows what came of it, and gives whether it was made. */
const attempt = async (model: PresetModel, write: Write): Promise<boolean> => {
  try {
    const outcome = await write()
    if (outcome === undefined) return false
    const { said, stands = {}, undo } = outcome
    // At once: the next click goes on from here, however long it takes to read the preset again.
    const standing = model.state.peek().value
    if (standing !== undefined) model.put({ ...standing, ...stands })
    if (said !== undefined) notify(said, undo === undefined ? {} : { undo: () => void undo() })
    await model.reload()
    return true
  } catch (fault) {
    tellFailure(model, fault)
    return false
  }
}

/**
 * Changes one thing of a preset once, however often somebody clicks before the answer is there.
 * Another thing of it can be changed meanwhile.
 */
const attemptOnce = (
  model: PresetModel,
  thing: string,
  write: () => Promise<Outcome>
): Promise<boolean> => attempt(model, () => once(`${thing} of preset ${model.slug}`, write))

/** Designates a version; undoing it designates the one before. */
export const designate = (
  model: PresetModel,
  { preset }: Standing,
  version: number
): Promise<boolean> => {
  const before = preset.designated_version?.version
  const write = async (to: number, ifMatch: string | null) => {
    const made = await api.presets.designate(model.slug, { version: to }, { ifMatch })
    return { preset: made }
  }
  return attemptOnce(model, "designation", async () => {
    const stands = await write(version, preset.designated_version_id)
    const undo = (to: number) => () =>
      attempt(model, async () => ({
        stands: await write(to, stands.preset.designated_version_id),
        said: `${versionName(to)} is designated again.`
      }))
    return {
      stands,
      said: `${versionName(version)} is designated.`,
      ...(before === undefined ? {} : { undo: undo(before) })
    }
  })
}

const onlyNew = { ifNoneMatch: "*" }

/** Where a label points; undefined where it was taken away. */
type Target = Omit<Label, "is_protected"> | undefined

/** The labels as they are once one of them was moved or taken away. */
const withLabel = (model: PresetModel, label: string, target: Target): Partial<Standing> => {
  const { labels = [], protectedNames = [] } = model.state.peek().value ?? {}
  const others = labels.filter((each) => each.label !== label)
  if (target === undefined) return { labels: others }
  const own = { ...target, is_protected: protectedNames.includes(label) }
  return { labels: [...others, own].sort((one, other) => (one.label < other.label ? -1 : 1)) }
}

/** Points a label to a version; undoing it points it to where it was, or takes it away again. */
export const moveLabel = (
  model: PresetModel,
  { labels }: Standing,
  { label, version }: { readonly label: string; readonly version: number }
): Promise<boolean> =>
  attemptOnce(model, `label ${label}`, async () => {
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
    const undo = () =>
      attempt(model, async () => ({
        stands: withLabel(model, label, await moveBack()),
        said: `${label} is as it was.`
      }))
    return {
      stands: withLabel(model, label, moved),
      said: `${label} points to ${versionName(version)}.`,
      undo
    }
  })

/** Takes a label away; undoing it puts it back. */
export const removeLabel = (model: PresetModel, before: Label): Promise<boolean> =>
  attemptOnce(model, `label ${before.label}`, async () => {
    const { label, version, version_id } = before
    await api.presets.labels.remove(model.slug, label, { ifMatch: version_id })
    const undo = () =>
      attempt(model, async () => {
        const back = await api.presets.labels.move(model.slug, label, { version }, onlyNew)
        return { stands: withLabel(model, label, back), said: `${label} is back.` }
      })
    return { stands: withLabel(model, label, undefined), said: `${label} is removed.`, undo }
  })

/** Changes the status; undoing it brings back the one before. */
export const changeStatus = (
  model: PresetModel,
  { preset }: Standing,
  status: Preset["status"]
): Promise<boolean> =>
  attemptOnce(model, "status", async () => {
    const changed = await api.presets.revise(model.slug, { status })
    const undo = () =>
      attempt(model, async () => ({
        stands: { preset: await api.presets.revise(model.slug, { status: preset.status }) },
        said: `${model.slug} is ${preset.status} again.`
      }))
    return { stands: { preset: changed }, said: `${model.slug} is ${status}.`, undo }
  })

/** What people call a preset, and what it is for. */
export interface Traits {
  readonly name: string
  readonly description: string | null
}

/** Changes name and description; undoing it brings back those before. Rejects where refused. */
export const changeTraits = async (
  model: PresetModel,
  { preset }: Standing,
  traits: Traits
): Promise<void> => {
  const { description, name } = preset
  await api.presets.revise(model.slug, traits)
  await model.reload()
  const undo = () =>
    attempt(model, async () => ({
      stands: { preset: await api.presets.revise(model.slug, { name, description }) },
      said: "Name and description are as they were."
    }))
  notify("Name and description are changed.", { undo: () => void undo() })
}

/** Erases the content of a version, some seconds later: until then it can be had back. */
export const eraseVersion = (model: PresetModel, { id, version }: Version): void =>
  removeLater(id, {
    said: `The content of ${versionName(version)} is erased.`,
    stays: true,
    remove: async () => {
      await api.presets.erase(model.slug, version)
      await model.reload()
    }
  })

/** Removes an archived preset permanently, some seconds later: until then it can be had back. */
export const removePreset = ({ id, slug }: Preset): void => {
  goTo("/presets")
  removeLater(id, { said: `${slug} is removed.`, remove: () => api.presets.remove(slug) })
}

/** Why the session may not move a label; nothing where it may. */
export const whyNotMove = ({ protectedNames }: Standing, label: string): string | undefined =>
  protectedNames.includes(label) && !may(`labels:${label}`)
    ? `${label} is protected: moving it takes a key with the scope labels:${label}.`
    : undefined
