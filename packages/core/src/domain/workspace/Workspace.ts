/**
 * A workspace: the tenant that owns keys, presets, jobs and a balance.
 *
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> Active
 *   Active --> Active: Renamed
 *   Active --> Active: Adjusted
 *   Active --> Disabled: Suspended
 *   Active --> Deleting: DeletionBegun
 *   Disabled --> Disabled: Renamed
 *   Disabled --> Disabled: Adjusted
 *   Disabled --> Active: Resumed
 *   Disabled --> Deleting: DeletionBegun
 *   Deleting --> Deleted: Emptied
 * ```
 */
import { DateTime, Duration, Schema, SchemaTransformation } from "effect"
import * as Machine from "../machine/Machine.ts"
import { keywordFields, noKeywords } from "./Keywords.ts"
import { type Limits, limitFields, noLimits } from "./Limits.ts"
import { noRetentionRule, retentionFields } from "./RetentionRule.ts"

export const WorkspaceId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/** A workspace id from a client, in upper or lower case; stored ids are in lower case. */
export const WorkspaceIdParameter = Schema.String.pipe(
  Schema.decodeTo(WorkspaceId, SchemaTransformation.toLowerCase())
)

/** The id of a user: `user_<uuid>`. */
export const UserId = Schema.String.check(
  Schema.isPattern(/^user_[0-9a-f-]{36}$/, { expected: "user_ and a UUID" })
).pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/**
 * Returns the id of the user with a host's own name: a version 8 UUID derived from a hash of the
 * name.
 */
export const toUserId = (hex: string): UserId => {
  const variant = "89ab".charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return UserId.make(`user_${[...parts, variant + hex.slice(17, 20), hex.slice(20, 32)].join("-")}`)
}

const instant = Schema.DateTimeUtcFromMillis

const fields = {
  id: WorkspaceId,
  /**
   * Number of changes to the workspace, including its creation. Every change names the revision
   * that it is based on.
   */
  revision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  name: Schema.String,
  /**
   * The host's own unique name for the workspace, which can be used again once the deletion has
   * begun.
   */
  externalId: Schema.NullOr(Schema.String),
  /** The user of every key that names no other user. */
  firstUserId: UserId,
  createdAt: instant,
  /** The time of the last status change; null if there was none. */
  statusUpdatedAt: Schema.NullOr(instant),
  ...limitFields,
  ...retentionFields,
  ...keywordFields
}

/**
 * The states of a workspace. The keys of a disabled workspace are refused, but its jobs continue.
 * In `Deleting`, the data of the workspace is removed step by step; its ledger is kept.
 */
export const State = Schema.TaggedUnion({
  Active: fields,
  Disabled: fields,
  Deleting: fields,
  Deleted: fields
})
export type State = typeof State.Type

/** A workspace in any state. */
export const Workspace = State
export type Workspace = State

/** The events that change a workspace. */
export const Event = Schema.TaggedUnion({
  Renamed: { name: Schema.String },
  /** The limits, the retention rule and the keywords were replaced. */
  Adjusted: { ...limitFields, ...retentionFields, ...keywordFields },
  Suspended: { at: instant },
  Resumed: { at: instant },
  DeletionBegun: { at: instant },
  /** All data of the workspace except its ledger was removed. */
  Emptied: { at: instant }
})
export type Event = typeof Event.Type

/** All legal edges; any other event is refused. */
export const edges = {
  Active: {
    Renamed: "Active",
    Adjusted: "Active",
    Suspended: "Disabled",
    DeletionBegun: "Deleting"
  },
  Disabled: {
    Renamed: "Disabled",
    Adjusted: "Disabled",
    Resumed: "Active",
    DeletionBegun: "Deleting"
  },
  Deleting: { Emptied: "Deleted" },
  Deleted: {}
} as const satisfies Machine.Edges<State, Event>

const { Active, Deleted, Deleting, Disabled } = State.cases

const revise = <S extends State>(state: S): S => ({ ...state, revision: state.revision + 1 })

const since = <S extends State>(state: S, { at }: { readonly at: typeof instant.Type }) => ({
  ...revise(state),
  statusUpdatedAt: at
})

const withName = <S extends State>(
  state: S,
  { name }: Extract<Event, { readonly _tag: "Renamed" }>
): S => ({ ...revise(state), name })

const adjust = <S extends State>(
  state: S,
  { _tag, ...settings }: Extract<Event, { readonly _tag: "Adjusted" }>
): S => ({ ...revise(state), ...settings })

const beginDeletion = (state: State, event: Extract<Event, { readonly _tag: "DeletionBegun" }>) =>
  Deleting.make({ ...since(state, event), _tag: "Deleting", externalId: null })

export const { isTerminal, transition } = Machine.make<State, Event, typeof edges>({
  name: "Workspace",
  edges,
  moves: {
    Active: {
      Renamed: withName,
      Adjusted: adjust,
      Suspended: (state, event) => Disabled.make({ ...since(state, event), _tag: "Disabled" }),
      DeletionBegun: beginDeletion
    },
    Disabled: {
      Renamed: withName,
      Adjusted: adjust,
      Resumed: (state, event) => Active.make({ ...since(state, event), _tag: "Active" }),
      DeletionBegun: beginDeletion
    },
    Deleting: {
      Emptied: (state, event) => Deleted.make({ ...since(state, event), _tag: "Deleted" })
    },
    Deleted: {}
  }
})

/**
 * How long a workspace stays in `Deleting`, at least. A request that arrived before the deletion
 * can take hours to send its file, and the job that it creates must be removed too.
 */
export const deletionMin: Duration.Duration = Duration.hours(24)

/** Whether an empty workspace can receive no more data. */
export const isDeletionOver = (
  { statusUpdatedAt }: Pick<State, "statusUpdatedAt">,
  at: DateTime.Utc
): boolean =>
  statusUpdatedAt !== null &&
  DateTime.isGreaterThanOrEqualTo(at, DateTime.addDuration(statusUpdatedAt, deletionMin))

/** Creates an active workspace without data and, by default, without limits. */
export const createWorkspace = ({
  limits = noLimits,
  ...birth
}: {
  readonly id: WorkspaceId
  readonly name: string
  readonly externalId: string | null
  readonly firstUserId: UserId
  readonly createdAt: typeof instant.Type
  readonly limits?: Limits | undefined
}): Workspace =>
  Active.make({
    ...birth,
    ...limits,
    ...noRetentionRule,
    ...noKeywords,
    revision: 1,
    statusUpdatedAt: null
  })
