/**
 * Commands on presets. A body is an effect, because it is read only after the slug and the caller's
 * write access have been checked.
 */
import type { DateTime, Effect, Schema } from "effect"
import type { FormatName, RequestFormat } from "../request/RequestFormat.ts"
import type { Principal } from "../workspace/ApiKey.ts"
import type { PresetCondition } from "./PresetRefusal.ts"
import type { VersionSelector } from "./VersionSelector.ts"

/** A preset in the caller's workspace. */
export interface PresetAddress {
  readonly principal: Principal
  readonly slug: string
}

/** A command that is carried out only if the preset or the label meets a condition. */
interface Conditional {
  readonly condition?: PresetCondition | undefined
}

/** A preset, with the condition that it must meet. */
export interface ConditionalAddress extends Conditional, PresetAddress {}

/**
 * A request to store a preset. The condition is for creating a version: a retry gets its response
 * before the condition is checked.
 */
export interface PresetCreation<E, R> extends ConditionalAddress {
  /** The format of the body; Responses style by default. */
  readonly format?: RequestFormat | undefined
  /**
   * The value of the `x-session-id` header, which is used if the body has no `session_id`. The same
   * limit applies to both.
   */
  readonly sessionIdHeader?: string | undefined
  /** The value of the `Idempotency-Key` header. */
  readonly idempotencyKey?: string | undefined
  /** Whether the new version is stored without being designated. */
  readonly stage?: boolean | undefined
  /** The config fields that take precedence over a request's own fields; none by default. */
  readonly wins?: ReadonlyArray<string> | undefined
  /** The author's comment on the version. */
  readonly comment?: string | null | undefined
  /**
   * Reads the body. This effect is not run for a caller without write access, or for an invalid
   * slug.
   */
  readonly body: Effect.Effect<unknown, E, R>
  /** Identifies a retry if the body alone is not sufficient. */
  readonly fingerprint?: string | undefined
}

/** The parts that differ from version `from`; all other parts stay the same. */
export interface VersionParts {
  /** The version to start from; the designated version by default. */
  readonly from?: VersionSelector | undefined
  /** Config fields, in the format of that version. */
  readonly set?: Schema.JsonObject | undefined
  /** Names of the config fields to remove. */
  readonly unset?: ReadonlyArray<string> | undefined
  /** The new prompt; null removes the prompt. */
  readonly systemPrompt?: string | null | undefined
  readonly wins?: ReadonlyArray<string> | undefined
  readonly comment?: string | null | undefined
  readonly stage?: boolean | undefined
}

/**
 * A request for a version derived from another one. `wanted` is run under the same conditions as
 * the `body` of a `PresetCreation`.
 */
export interface VersionFromParts<E, R> extends PresetWrite<VersionParts, E, R> {
  /** The value of the `Idempotency-Key` header. */
  readonly idempotencyKey?: string | undefined
}

/**
 * A change to an existing preset. `wanted` is run under the same conditions as the `body` of a
 * `PresetCreation`.
 */
export interface PresetWrite<A, E, R> extends ConditionalAddress {
  readonly wanted: Effect.Effect<A, E, R>
}

/** A label of a preset in the caller's workspace. */
export interface LabelAddress extends PresetAddress {
  readonly label: string
}

/**
 * A request to move a label. `wanted` is run under the same conditions as the `body` of a
 * `PresetCreation`.
 */
export interface LabelWrite<E, R> extends Conditional, LabelAddress {
  readonly wanted: Effect.Effect<VersionSelector, E, R>
}

/** A request to remove a label. */
export interface LabelRemoval extends Conditional, LabelAddress {}

/** A request to erase the content of a version. */
export interface Erasure extends ConditionalAddress {
  readonly version: number
}

/** A request to remove a preset. */
export type PresetRemoval = ConditionalAddress

/** Two versions to compare, from one preset or from two. */
export interface Comparison {
  readonly from: VersionSelector
  readonly to: VersionSelector
  /** The preset of version `to`; by default, the preset of version `from`. */
  readonly slug?: string | undefined
}

/** Selects the preset for a request. */
export interface PresetSelection {
  readonly principal: Principal
  /** A reference to the preset: `slug`, `slug@version` or `slug@label`. */
  readonly preset: string
  /** If given, selects the version that was designated or labelled at this time. */
  readonly at?: DateTime.Utc | undefined
  /** The format of the request; inferred from its fields by default. */
  readonly format?: FormatName | undefined
}
