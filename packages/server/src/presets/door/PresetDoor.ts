/**
 * Port: the presets of one workspace, as the commands about them reach them: at a server over HTTP,
 * or in a database on this machine. Both keep to the same promises; one suite tests them.
 */
import type {
  HeldContent,
  HeldPreset,
  HeldVersion,
  PresetChange,
  PresetContent,
  PresetDiff,
  PresetStatus,
  VersionParts
} from "@verbatim/core/preset"
import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import { CliError } from "effect/cli"

/** Why a door does not do what it was asked. */
export class DoorRefusal extends Schema.TaggedError<DoorRefusal>()("DoorRefusal", {
  /** Somebody else changed what a condition is about, there is no such thing, or anything else. */
  reason: Schema.Literals(["Changed", "NotFound", "Refused"]),
  sentence: Schema.String
}) {
  override get message(): string {
    return this.sentence
  }
  override get [CliError.userMessage](): string {
    return this.sentence
  }
}

/** A preset as a list shows it. */
export interface ListedPreset {
  readonly slug: string
  readonly name: string
  readonly status: PresetStatus
  readonly updatedAt: string
}

/** Which presets are listed. */
export interface ListFilter {
  readonly status?: PresetStatus | undefined
  readonly label?: string | undefined
  readonly text?: string | undefined
}

/** A preset as it is, with the workspace that it is in. */
export interface FoundPreset extends HeldPreset {
  readonly workspaceId: string
}

/** The number of a version, a label, `designated` or `latest`. */
export type Point = number | string

/** A preset and a version of it. */
export interface Pointed {
  readonly slug: string
  readonly point: Point
}

/** The version that a thing must point to; null where there must be no such thing. */
export type Fence = string | null

/** A version to be. */
export interface Addition {
  readonly slug: string
  readonly content: PresetContent
  readonly comment: string | null
  /** Whether the designated version stays. */
  readonly stage: boolean
  /** What the designated version must be; left out, nothing is required. */
  readonly fence: Fence | undefined
  /** The same addition under the same key is made once. */
  readonly key: string
}

/** A version that is made from another one. */
export interface Edit {
  readonly slug: string
  readonly parts: VersionParts
}

/** A version that was made. */
export type Added = Pick<HeldVersion, "config" | "id" | "version">

/** A request laid over a preset. */
export interface ResolveWanted {
  /** `slug`, `slug@version` or `slug@label`. */
  readonly reference: string
  readonly request: HeldContent["config"]
  readonly format: PresetContent["format"] | undefined
  /** Asks for what was designated, or labelled, at that instant. */
  readonly at?: DateTime.Utc | undefined
}

/** A request with everything that its preset adds. */
export interface Resolved {
  readonly request: HeldContent["config"]
  /** What the preset says and the format of the request has no words for. */
  readonly leftOut: ReadonlyArray<{ readonly field: string; readonly reason: string }>
}

/** A version among the versions of its preset. */
export interface ListedVersion {
  readonly version: number
  /** The user who made it. */
  readonly by: string
  readonly at: string
  readonly comment: string | null
  /** When its content was erased; null while it is there. */
  readonly erasedAt: string | null
}

/** How the designation, or a label, was moved. */
export interface Move {
  /** Null where it pointed to nothing before. */
  readonly from: number | null
  /** Null where the label was taken away. */
  readonly to: number | null
  readonly by: string
  readonly at: string
}

/** A key that moves a protected label. */
export interface LabelMover {
  readonly id: string
  /** How its token begins. */
  readonly hint: string
  readonly name: string | null
}

/** A label that only some keys move, in all presets of the workspace. */
export interface Protection {
  readonly label: string
  /** The user who decided that; null when it was an operator. */
  readonly by: string | null
  readonly since: string
  /** The valid keys with its scope; null where keys are not for who asks. */
  readonly movers: ReadonlyArray<LabelMover> | null
}

type Doing<A> = Effect.Effect<A, DoorRefusal>

/** What is done to a preset while its designated version, or its label, is what was seen. */
interface Fenced {
  readonly slug: string
  /** Left out, nothing is required. */
  readonly fence?: Fence | undefined
}

export class PresetDoor extends Context.Service<
  PresetDoor,
  {
    /** The workspace, where it is known without any preset. */
    readonly workspaceId: Doing<string | null>
    /** All presets that pass a filter, by slug. */
    readonly list: (filter: ListFilter) => Doing<ReadonlyArray<ListedPreset>>
    /** A preset with the versions that something points to, and the latest one. */
    readonly find: (slug: string) => Doing<Option.Option<FoundPreset>>
    /** What a version says. */
    readonly version: (wanted: Pointed) => Doing<HeldVersion>
    /** What changed between two versions, which may be of two presets. */
    readonly diff: (from: Pointed, to: Pointed) => Doing<PresetDiff>
    /** The request that is meant, in its own format. */
    readonly resolve: (wanted: ResolveWanted) => Doing<Resolved>
    /** Makes a version, and a preset where there is none. `Changed` when the fence is broken. */
    readonly add: (addition: Addition) => Doing<Added>
    /** Makes a version from another one, with some parts changed. */
    readonly edit: (edit: Edit) => Doing<Added>
    /** Changes status, name or description. */
    readonly revise: (wish: Fenced & { readonly change: PresetChange }) => Doing<void>
    /** Designates a version. */
    readonly designate: (wish: Fenced & { readonly version: number }) => Doing<void>
    /** Points a label to a version; the fence is that of the label. */
    readonly moveLabel: (
      wish: Fenced & { readonly label: string; readonly version: Point }
    ) => Doing<void>
    /** Takes a label away; the fence is that of the label. */
    readonly removeLabel: (wish: Fenced & { readonly label: string }) => Doing<void>
    /** All versions, the oldest first. */
    readonly versions: (slug: string) => Doing<ReadonlyArray<ListedVersion>>
    /** Who moved the designation, or the label that is named, in the order of the moves. */
    readonly moves: (of: {
      readonly slug: string
      readonly label: string | null
    }) => Doing<ReadonlyArray<Move>>
    /** Erases the content of a version to which nothing points. */
    readonly erase: (wish: { readonly slug: string; readonly version: number }) => Doing<void>
    /** Removes an archived preset for good. */
    readonly remove: (slug: string) => Doing<void>
    /** The protected labels of the workspace, by name, with the keys that move them. */
    readonly protections: Doing<ReadonlyArray<Protection>>
    /** From now on only keys with its scope move the label. */
    readonly protect: (label: string) => Doing<void>
    /** From now on every key that designates versions moves it. */
    readonly unprotect: (label: string) => Doing<void>
  }
>()("@verbatim/server/presets/PresetDoor") {}
