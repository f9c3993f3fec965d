/**
 * A preset: a slug with a growing list of versions, one of them designated, and labels that point
 * to versions.
 *
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> Active
 *   Active --> Active: VersionAdded
 *   Active --> Active: VersionStaged
 *   Active --> Active: Designated
 *   Active --> Active: LabelMoved
 *   Active --> Active: LabelRemoved
 *   Active --> Active: ContentErased
 *   Active --> Active: Described
 *   Active --> Disabled: Suspended
 *   Active --> Archived: Shelved
 *   Disabled --> Disabled: VersionAdded
 *   Disabled --> Disabled: VersionStaged
 *   Disabled --> Disabled: Designated
 *   Disabled --> Disabled: LabelMoved
 *   Disabled --> Disabled: LabelRemoved
 *   Disabled --> Disabled: ContentErased
 *   Disabled --> Disabled: Described
 *   Disabled --> Active: Resumed
 *   Disabled --> Archived: Shelved
 *   Archived --> Archived: ContentErased
 *   Archived --> Active: Resumed
 * ```
 */
import { Schema, Struct } from "effect"
import * as Machine from "../machine/Machine.ts"
import { LabelName } from "../workspace/LabelName.ts"
import { UserId, WorkspaceId } from "../workspace/Workspace.ts"
import { PresetLabels } from "./PresetLabels.ts"
import { PresetSlug } from "./PresetSlug.ts"
import { PresetId, PresetVersionId, VersionNumber } from "./PresetVersion.ts"

const instant = Schema.DateTimeUtcFromMillis

const fields = {
  id: PresetId,
  workspaceId: WorkspaceId,
  slug: PresetSlug,
  /**
   * Number of changes to the preset, including its creation. Every change names the revision that
   * it is based on.
   */
  revision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  creatorUserId: UserId,
  /** The number of the latest version, which is also the number of versions. */
  latestVersion: VersionNumber,
  designatedVersion: VersionNumber,
  designatedVersionId: PresetVersionId,
  labels: PresetLabels,
  /** The time of the last status change; null if there was none. */
  statusUpdatedAt: Schema.NullOr(instant),
  createdAt: instant,
  updatedAt: instant
}

/** The states of a preset. Requests can use only active presets. */
export const State = Schema.TaggedUnion({ Active: fields, Disabled: fields, Archived: fields })
export type State = typeof State.Type

/** A preset in any state. */
export const Preset = State
export type Preset = State

/** The events that change a preset. */
export const Event = Schema.TaggedUnion({
  /** A version was added and designated. */
  VersionAdded: { at: instant, versionId: PresetVersionId },
  /** A version was added, without being designated. */
  VersionStaged: { at: instant, versionId: PresetVersionId },
  /** An existing version was designated, for example an older one. */
  Designated: { at: instant, version: VersionNumber, versionId: PresetVersionId },
  /** A label, which may be new, was moved to this version. */
  LabelMoved: {
    at: instant,
    label: LabelName,
    version: VersionNumber,
    versionId: PresetVersionId
  },
  LabelRemoved: { at: instant, label: LabelName },
  /** The content of a version was erased. */
  ContentErased: { at: instant, version: VersionNumber, by: UserId },
  Described: { at: instant, name: Schema.String, description: Schema.NullOr(Schema.String) },
  Suspended: { at: instant },
  Resumed: { at: instant },
  Shelved: { at: instant }
})
export type Event = typeof Event.Type

/**
 * The edges for events that do not change the status. Active and disabled presets accept these
 * events.
 */
const growthIn = <const Tag extends State["_tag"]>(state: Tag) => ({
  VersionAdded: state,
  VersionStaged: state,
  Designated: state,
  LabelMoved: state,
  LabelRemoved: state,
  ContentErased: state,
  Described: state
})

/** All legal edges; any other event is refused. */
export const edges = {
  Active: { ...growthIn("Active"), Suspended: "Disabled", Shelved: "Archived" },
  Disabled: { ...growthIn("Disabled"), Resumed: "Active", Shelved: "Archived" },
  Archived: { ContentErased: "Archived", Resumed: "Active" }
} as const satisfies Machine.Edges<State, Event>

const { Active, Archived, Disabled } = State.cases

type Case<Tag> = Extract<Event, { readonly _tag: Tag }>

const change = <S extends State>(state: S, at: typeof instant.Type): S => ({
  ...state,
  revision: state.revision + 1,
  updatedAt: at
})

const withVersion = <S extends State>(state: S, { at, versionId }: Case<"VersionAdded">): S => ({
  ...change(state, at),
  latestVersion: state.latestVersion + 1,
  designatedVersion: state.latestVersion + 1,
  designatedVersionId: versionId
})

const withStaged = <S extends State>(state: S, { at }: Case<"VersionStaged">): S => ({
  ...change(state, at),
  latestVersion: state.latestVersion + 1
})

const withLabel = <S extends State>(state: S, event: Case<"LabelMoved">): S => {
  const { at, label, version, versionId } = event
  const labels = { ...state.labels, [label]: { version, versionId, movedAt: at } }
  return { ...change(state, at), labels }
}

const withoutLabel = <S extends State>(state: S, { at, label }: Case<"LabelRemoved">): S => ({
  ...change(state, at),
  labels: Struct.omit(state.labels, [label])
})

const withErasure = <S extends State>(state: S, { at }: Case<"ContentErased">): S =>
  change(state, at)

const withDesignation = <S extends State>(state: S, event: Case<"Designated">): S => ({
  ...change(state, event.at),
  designatedVersion: event.version,
  designatedVersionId: event.versionId
})

const withDescription = <S extends State>(state: S, event: Case<"Described">): S => ({
  ...change(state, event.at),
  name: event.name,
  description: event.description
})

const since = <S extends State>(state: S, at: typeof instant.Type) => ({
  ...change(state, at),
  statusUpdatedAt: at
})

const activate = (state: State, { at }: Case<"Resumed">) =>
  Active.make({ ...since(state, at), _tag: "Active" })

const archive = (state: State, { at }: Case<"Shelved">) =>
  Archived.make({ ...since(state, at), _tag: "Archived" })

/** The moves for events that do not change the status. */
const growth = {
  VersionAdded: withVersion,
  VersionStaged: withStaged,
  Designated: withDesignation,
  LabelMoved: withLabel,
  LabelRemoved: withoutLabel,
  ContentErased: withErasure,
  Described: withDescription
}

export const { isTerminal, transition } = Machine.make<State, Event, typeof edges>({
  name: "Preset",
  edges,
  moves: {
    Active: {
      ...growth,
      Suspended: (state, { at }) => Disabled.make({ ...since(state, at), _tag: "Disabled" }),
      Shelved: archive
    },
    Disabled: {
      ...growth,
      Resumed: activate,
      Shelved: archive
    },
    Archived: {
      ContentErased: withErasure,
      Resumed: activate
    }
  }
})
