/**
 * Models one preset in a sequential store, as callers of `Presets` see it: core's pure machine, and
 * the preset's lists. The store check, the contracts and the simulation judge answers by this
 * model.
 */
import {
  applyChange,
  applyDesignation,
  applyErasure,
  applyLabelMove,
  applyLabelRemoval,
  createPresetFromDraft,
  type Designation,
  designationOf,
  eraseContent,
  type LabelMove,
  listLabels,
  moveBetween,
  type Preset,
  type PresetChange,
  type PresetDraft,
  type PresetSlug,
  type PresetVersion,
  targetOf,
  versionOf,
  withNextVersion
} from "@verbatim/core/preset"
import { LabelName, UserId } from "@verbatim/core/workspace"
import { type DateTime, Option, Result } from "effect"
import { presetId, versionId, workspaceId } from "../samples/Ids.ts"
import { slug } from "../samples/SamplePreset.ts"
import { instant } from "../samples/SampleWorkspace.ts"
import { digestOf } from "./Digest.ts"
import type { Model, Operation, Outcome } from "./Linear.ts"

/** A caller's command, which names versions by their numbers. */
export type Command =
  /**
   * Creates a version with the given prompt. A retry with the same key creates no second version.
   */
  | {
      readonly _tag: "Create"
      readonly text: string
      readonly stage: boolean
      readonly key?: string
    }
  /**
   * Creates a version from another version with one field changed. Null stands for the designated
   * version.
   */
  | {
      readonly _tag: "Derive"
      readonly from: number | null
      readonly field: "temperature" | "top_p"
      readonly value: number
      readonly stage: boolean
    }
  | { readonly _tag: "Designate" | "Erase"; readonly version: number }
  | { readonly _tag: "MoveLabel"; readonly label: string; readonly version: number }
  | { readonly _tag: "RemoveLabel" | "Resolve"; readonly label: string }
  /** Protects or unprotects a label for all presets in the workspace. */
  | { readonly _tag: "Protect" | "Unprotect"; readonly label: string }
  | { readonly _tag: "Revise"; readonly change: PresetChange }
  | { readonly _tag: "Remove" | "Look" }
  /** Reads everything stored about the preset. */
  | { readonly _tag: "List" }

/** The refusals that a command can get. */
export const presetRefusals = [
  "LabelNotFound",
  "LabelProtected",
  "OtherRequest",
  "PresetInactive",
  "PresetNotArchived",
  "PresetNotFound",
  "VersionErased",
  "VersionInUse",
  "VersionNotFound"
] as const

/** A user with a key that has all label scopes. Protections do not stop this user. */
export const holderId = UserId.make("user_00000000-0000-7000-8000-0000000000aa")

/** The stored parts of a preset. */
export interface Kept {
  readonly preset: Preset | null
  readonly versions: ReadonlyArray<PresetVersion>
  readonly designations: ReadonlyArray<Designation>
  readonly moves: ReadonlyArray<LabelMove>
}

/** Everything that is stored, and what affects only writers. */
export interface PresetState extends Kept {
  readonly slug: PresetSlug
  /** The workspace's protected labels. */
  readonly held: ReadonlySet<string>
  /** The version created with each key. */
  readonly keys: ReadonlyMap<string, { readonly text: string; readonly version: number }>
  /** A digest of all changes so far, which distinguishes states with the same preset and labels. */
  readonly past: string
}

/** A command with its outcome. `format` turns an answer into a string. */
export interface PresetOperation extends Operation {
  readonly command: Command
  readonly by: UserId
  readonly outcome: Outcome<string>
}

const byRevision = (one: LabelMove, other: LabelMove): number => one.revision - other.revision

const plainPreset = (preset: Preset | null) =>
  preset && {
    status: preset._tag,
    name: preset.name,
    description: preset.description,
    revision: preset.revision,
    latest: preset.latestVersion,
    designated: preset.designatedVersion,
    labels: listLabels(preset.labels).map(({ name, version }) => [name, version])
  }

const plainVersion = (version: PresetVersion | null) =>
  version && [version.version, version.systemPrompt, version.config, version.erased !== null]

const plainDesignation = ({ from, revision, to }: Designation) => [revision, from, to]

const plainMove = ({ by, from, label, revision, to }: LabelMove) => [
  ...[revision, label, from, to],
  by === holderId
]

/**
 * Formats answers as strings without ids, timestamps and users, which are unknown if a write's
 * response was lost. The answer to a creation has only the version, because a retry's answer
 * includes later changes.
 */
export const format = {
  /** Formats a preset with one of its versions. */
  preset: (preset: Preset | null, version: PresetVersion | null): string =>
    JSON.stringify([plainPreset(preset), plainVersion(version)]),
  made: ({ version }: PresetVersion): string => `version ${version}`,
  kept: ({ designations, moves, preset, versions }: Kept): string =>
    JSON.stringify([
      plainPreset(preset),
      versions.map(plainVersion),
      designations.map(plainDesignation),
      moves.toSorted(byRevision).map(plainMove)
    ])
}

const nothing = { preset: null, versions: [], designations: [], moves: [] }

const isHolder = ({ by }: Pick<PresetOperation, "by">): boolean => by === holderId

/** Returns the version that a command is about. */
const versionIn = (preset: Preset, command: Command): number | undefined => {
  if (command._tag === "Derive") return command.from ?? preset.designatedVersion
  return "version" in command ? command.version : undefined
}

const isPointedTo = ({ designatedVersion, labels }: Preset, version: number): boolean =>
  designatedVersion === version || listLabels(labels).some((label) => label.version === version)

/** Commands that are refused for an archived preset. */
const growing: ReadonlyArray<Command["_tag"]> = [
  "Create",
  "Derive",
  "Designate",
  "MoveLabel",
  "RemoveLabel"
]

/** Whether a command takes a preset's labels out of use, or restores them. */
const isServiceChange = (preset: Preset, command: Command): boolean => {
  if (command._tag !== "Revise") return command._tag === "Remove"
  const next = applyChange(preset, { change: command.change, at: preset.updatedAt })
  return Result.isSuccess(next) && next.success._tag !== preset._tag
}

/** Returns the labels that a command affects. A caller needs the scope of each protected one. */
const labelsAtStake = (preset: Preset, command: Command): ReadonlyArray<string> => {
  if (command._tag === "MoveLabel" || command._tag === "RemoveLabel") return [command.label]
  return isServiceChange(preset, command) ? listLabels(preset.labels).map(({ name }) => name) : []
}

/** Returns the refusals that the state of an existing preset justifies. */
const reasonsOf = (
  { held, versions }: PresetState,
  preset: Preset,
  operation: PresetOperation
): ReadonlyArray<string> => {
  const { command } = operation
  const { _tag } = command
  const number = versionIn(preset, command)
  const version = number === undefined ? undefined : versions[number - 1]
  const isErased = version !== undefined && version.erased !== null
  const isInactive =
    (preset._tag === "Archived" && growing.includes(_tag)) ||
    (_tag === "Resolve" && preset._tag !== "Active") ||
    (_tag === "Revise" &&
      Result.isFailure(applyChange(preset, { change: command.change, at: preset.updatedAt })))
  const isLabelMissing =
    (_tag === "RemoveLabel" || _tag === "Resolve") &&
    targetOf(preset.labels, LabelName.make(command.label)) === undefined
  const isStopped =
    !isHolder(operation) && labelsAtStake(preset, command).some((label) => held.has(label))
  const reasons: Readonly<Record<string, boolean>> = {
    VersionNotFound: number !== undefined && version === undefined,
    VersionErased: isErased && _tag !== "Erase",
    VersionInUse:
      _tag === "Erase" && !isErased && number !== undefined && isPointedTo(preset, number),
    PresetInactive: isInactive,
    LabelNotFound: isLabelMissing,
    LabelProtected: isStopped,
    PresetNotArchived: _tag === "Remove" && preset._tag !== "Archived"
  }
  return Object.keys(reasons).filter((reason) => reasons[reason])
}

/** Returns all justified refusals. A command succeeds only if no refusal is justified. */
const refusalsOf = (state: PresetState, operation: PresetOperation): ReadonlyArray<string> => {
  const { command } = operation
  const { _tag } = command
  if (_tag === "Protect" || _tag === "Unprotect" || _tag === "List") return []
  const made =
    _tag === "Create" && command.key !== undefined ? state.keys.get(command.key) : undefined
  if (made !== undefined && _tag === "Create") {
    // An erasure also deletes the stored request that created the version.
    const isForgotten = (state.versions[made.version - 1]?.erased ?? null) !== null
    return made.text === command.text && !isForgotten ? [] : ["OtherRequest"]
  }
  if (state.preset === null) return _tag === "Create" ? [] : ["PresetNotFound"]
  return reasonsOf(state, state.preset, operation)
}

/**
 * Whether a refusal is justified. A service reads the preset first, and versions and protected
 * labels later, so a refusal because of these can refer to an earlier state of the preset.
 */
const isJustified = (state: PresetState, operation: PresetOperation, reason: string): boolean => {
  if (refusalsOf(state, operation).includes(reason)) return true
  if (reason === "VersionNotFound") return state.preset === null
  if (reason === "VersionErased") return operation.command._tag === "Resolve"
  return reason === "LabelProtected" && state.held.size > 0 && !isHolder(operation)
}

/** The state after a command, and its answer. */
interface Done {
  readonly state: PresetState
  readonly answer: string
}

const draftOf = (state: PresetState, { by, command }: PresetOperation): PresetDraft | undefined => {
  if (command._tag !== "Create" && command._tag !== "Derive") return undefined
  const number = state.versions.length + 1
  const from =
    command._tag === "Derive"
      ? state.versions[(command.from ?? state.preset?.designatedVersion ?? 0) - 1]
      : undefined
  return {
    workspaceId: workspaceId(1),
    slug: state.slug,
    presetId: presetId(1),
    versionId: versionId(number),
    creatorId: by,
    format: "responses",
    systemPrompt: command._tag === "Create" ? command.text : (from?.systemPrompt ?? null),
    config:
      command._tag === "Create"
        ? { model: "gpt-4o" }
        : { ...from?.config, [command.field]: command.value },
    wins: [],
    comment: null,
    stage: command.stage,
    at: instant,
    request: Option.none()
  }
}

const make = (state: PresetState, operation: PresetOperation): Done | undefined => {
  const { command } = operation
  const draft = draftOf(state, operation)
  if (draft === undefined) return undefined
  const preset =
    state.preset === null
      ? createPresetFromDraft(draft)
      : Option.getOrUndefined(withNextVersion(state.preset, draft))
  if (preset === undefined) return undefined
  const version = versionOf(preset, draft)
  // The model counts the version numbers itself, independently of the machine.
  if (version.version !== state.versions.length + 1) return undefined
  const from = state.preset?.designatedVersion ?? null
  const designation = Option.toArray(designationOf(preset, draft)).map((each) => ({
    ...each,
    from
  }))
  const keys = new Map(state.keys)
  if (command._tag === "Create" && command.key !== undefined) {
    keys.set(command.key, { text: command.text, version: version.version })
  }
  const next = {
    ...state,
    preset,
    versions: [...state.versions, version],
    designations: [...state.designations, ...designation],
    keys,
    past: digestOf([state.past, command, operation.by, draft.versionId])
  }
  return { state: next, answer: format.made(version) }
}

/** The preset after a change, and the version in the answer. */
interface Changed {
  readonly next: Preset
  readonly shown: PresetVersion | null
  readonly lists?: Partial<Kept>
}

const designate = (
  { designations, preset }: PresetState & { readonly preset: Preset },
  { at, by, version }: Changing & { readonly version: PresetVersion }
): Result.Result<Changed, unknown> =>
  Result.map(applyDesignation(preset, { version, at }), (next) => {
    const entry = {
      presetId: next.id,
      revision: next.revision,
      from: preset.designatedVersion,
      to: version.version,
      by,
      at
    }
    return { next, shown: version, lists: { designations: [...designations, entry] } }
  })

interface Changing {
  readonly at: DateTime.Utc
  readonly by: UserId
}

const change = (
  state: PresetState & { readonly preset: Preset },
  { by, command }: PresetOperation
): Result.Result<Changed, unknown> => {
  const { moves, preset, versions } = state
  const at = instant
  const version = versions[(versionIn(preset, command) ?? 0) - 1]
  if (command._tag === "Revise") {
    const shown = versions[preset.designatedVersion - 1] ?? null
    return Result.map(applyChange(preset, { change: command.change, at }), (next) => ({
      next,
      shown
    }))
  }
  const withMove = (shown: PresetVersion | null, label: LabelName) => (next: Preset) => {
    const entry = moveBetween({ before: preset, next }, { by, label })
    return { next, shown, lists: { moves: [...moves, entry] } }
  }
  if (command._tag === "RemoveLabel") {
    const label = LabelName.make(command.label)
    return Result.map(applyLabelRemoval(preset, { label, at }), withMove(null, label))
  }
  if (version === undefined) return Result.fail("there is no such version")
  if (command._tag === "Designate") return designate(state, { at, by, version })
  if (command._tag === "MoveLabel") {
    const label = LabelName.make(command.label)
    return Result.map(applyLabelMove(preset, { label, version, at }), withMove(version, label))
  }
  return Result.map(applyErasure(preset, { version, by, at }), (next) => {
    const shown = next === preset ? version : eraseContent(version, { at, by })
    return { next, shown, lists: { versions: versions.with(version.version - 1, shown) } }
  })
}

/** Returns the state and the answer after a command that must succeed. */
const obey = (state: PresetState, operation: PresetOperation): Done | undefined => {
  const { held, keys, preset, versions } = state
  const { command } = operation
  switch (command._tag) {
    case "Protect":
      return { state: { ...state, held: new Set([...held, command.label]) }, answer: "" }
    case "Unprotect":
      return {
        state: { ...state, held: new Set([...held].filter((each) => each !== command.label)) },
        answer: ""
      }
    case "List":
      return { state, answer: format.kept(state) }
    case "Create":
    case "Derive": {
      const made = command._tag === "Create" ? keys.get(command.key ?? "") : undefined
      const version = versions[(made?.version ?? 0) - 1]
      if (preset === null || version === undefined) return make(state, operation)
      return { state, answer: format.made(version) }
    }
  }
  if (preset === null) return undefined
  switch (command._tag) {
    case "Look":
      return {
        state,
        answer: format.preset(preset, versions[preset.designatedVersion - 1] ?? null)
      }
    case "Resolve": {
      const target = targetOf(preset.labels, LabelName.make(command.label))
      return { state, answer: `version ${target?.version}` }
    }
    case "Remove": {
      // All histories that end with a removal lead to the same state.
      const gone = { ...state, ...nothing, keys: new Map(), past: "" }
      return { state: gone, answer: format.preset(preset, null) }
    }
  }
  const changed = Result.getOrUndefined(change({ ...state, preset }, operation))
  if (changed === undefined) return undefined
  const { lists = {}, next, shown } = changed
  const after =
    next === preset
      ? state
      : { ...state, ...lists, preset: next, past: digestOf([state.past, command, operation.by]) }
  return { state: after, answer: format.preset(next, shown) }
}

const step = (state: PresetState, operation: PresetOperation): PresetState | undefined => {
  const { outcome } = operation
  if (outcome.is === "refused") {
    return isJustified(state, operation, outcome.reason) ? state : undefined
  }
  if (refusalsOf(state, operation).length > 0) return undefined
  const done = obey(state, operation)
  if (outcome.is === "answered" && done?.answer !== outcome.answer) return undefined
  return done?.state
}

export const isRead = ({ _tag }: Command): boolean =>
  _tag === "Look" || _tag === "List" || _tag === "Resolve"

/** Returns the model's own answer to a command. */
export const answerTo = (state: PresetState, operation: PresetOperation): string =>
  obey(state, operation)?.answer ?? ""

/** The model of the preset with the given slug, before its creation. */
export const presetModel = (text: string): Model<PresetState, PresetOperation> => ({
  initial: { ...nothing, slug: slug(text), held: new Set(), keys: new Map(), past: "" },
  step,
  isRead: ({ command, outcome }) => outcome.is === "refused" || isRead(command),
  key: ({ held, past, preset }) =>
    `${format.preset(preset, null)} ${past} ${[...held].sort().join()}`
})

/** Whether the final list has a list's newest entry at the same position. */
const isWithin = <Entry>(
  list: ReadonlyArray<Entry>,
  final: ReadonlyArray<unknown>,
  plain: (entry: Entry) => unknown
): boolean => {
  const newest = list.at(-1)
  return (
    newest === undefined || JSON.stringify(plain(newest)) === JSON.stringify(final[list.length - 1])
  )
}

/**
 * Limits a search to the states that can precede the answer to the last `List`: without a removal,
 * a preset's revision and lists only grow. Otherwise, a search with many lost responses often ends
 * undecided.
 */
export const endingWith = (
  model: Model<PresetState, PresetOperation>,
  answer: string
): Model<PresetState, PresetOperation> => {
  const [end, , designations, moves] = JSON.parse(answer)
  const canPrecede = (state: PresetState): boolean =>
    (state.preset?.revision ?? 0) <= (end?.revision ?? 0) &&
    isWithin(state.designations, designations, plainDesignation) &&
    isWithin(state.moves, moves, plainMove)
  return {
    ...model,
    step: (state, operation) => {
      const next = model.step(state, operation)
      return next !== undefined && canPrecede(next) ? next : undefined
    }
  }
}
