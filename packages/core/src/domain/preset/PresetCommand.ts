/**
 * Commands on presets. The body is an effect, because it is read only after the slug and the
 * caller's write access have been checked.
 */
import type { DateTime, Effect, Schema } from "effect"
import type { FormatName, RequestFormat } from "../request/RequestFormat.ts"
import type { Principal } from "../workspace/ApiKey.ts"
import type { PresetCondition } from "./PresetRefusal.ts"
import type { VersionSelector } from "./VersionSelector.ts"

/** The slug of a preset in the caller's workspace. */
export interface PresetAddress {
  readonly principal: Principal
  readonly slug: string
}

/** A command that is executed only if the preset or the label meets a condition. */
interface Conditional {
  readonly condition?: PresetCondition | undefined
}

/** The slug of a preset, and the condition that the preset must meet. */
export interface ConditionalAddress extends Conditional, PresetAddress {}

/**
 * A request to create a version of a preset, and the preset if it is new. A retry gets its response
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
  /** Whether the version is only staged: stored without being designated. */
  readonly stage?: boolean | undefined
  /** The config fields that take precedence over a request's own fields; none by default. */
  readonly wins?: ReadonlyArray<string> | undefined
  /** The author's comment on the version. */
  readonly comment?: string | null | undefined
  /**
   * Reads the body. This effect does not run if the caller has no write access or the slug is
   * invalid.
   */
  readonly body: Effect.Effect<unknown, E, R>
  /** A fingerprint that identifies a retry, if the body alone is not sufficient. */
  readonly fingerprint?: string | undefined
}

/** The parts of a new version that differ from version `from`; all other parts stay the same. */
export interface VersionParts {
  /** The version to start from; the designated version by default. */
  readonly from?: VersionSelector | undefined
  /** The config fields to set, in the format of that version. */
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
 * A request for a version that is derived from another one. The effect `wanted` runs under the same
 * conditions as the `body` of a `PresetCreation`.
 */
export interface VersionFromParts<E, R> extends PresetWrite<VersionParts, E, R> {
  /** The value of the `Idempotency-Key` header. */
  readonly idempotencyKey?: string | undefined
}

/**
 * A request to change an existing preset. The effect `wanted` runs under the same conditions as the
 * `body` of a `PresetCreation`.
 */
export interface PresetWrite<A, E, R> extends ConditionalAddress {
  readonly wanted: Effect.Effect<A, E, R>
}

/** The name of a label, and the slug of its preset in the caller's workspace. */
export interface LabelAddress extends PresetAddress {
  readonly label: string
}

/**
 * A request to move a label. The effect `wanted` runs under the same conditions as the `body` of a
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

/** Two versions to compare, of the same preset or of two. */
export interface Comparison {
  readonly from: VersionSelector
  readonly to: VersionSelector
  /** The preset of version `to`; by default, the preset of version `from`. */
  readonly slug?: string | undefined
}

/** The preset to resolve a request with. */
export interface PresetSelection {
  readonly principal: Principal
  /** A reference to the preset: `slug`, `slug@version` or `slug@label`. */
  readonly preset: string
  /** If given, the version is the one that was designated or labelled at this time. */
  readonly at?: DateTime.Utc | undefined
  /** The format of the request; inferred from its fields by default. */
  readonly format?: FormatName | undefined
}
