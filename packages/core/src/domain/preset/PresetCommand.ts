/**
 * What a caller asks of presets. Bodies come as effects, because a body is read only for those who
 * may write, and only once the slug is known to be valid.
 */
import type { DateTime, Effect, Schema } from "effect"
import type { FormatName } from "../request/FormatName.ts"
import type { RequestFormat } from "../request/RequestFormat.ts"
import type { Principal } from "../workspace/ApiKey.ts"
import type { PresetCondition } from "./PresetRefusal.ts"
import type { VersionPoint } from "./VersionPoint.ts"

/** A preset of the caller's workspace. */
export interface Named {
  readonly principal: Principal
  readonly slug: string
}

/** A request to store a preset. */
export interface PresetCreation<E, R> extends Named {
  /** The format of the body; Responses style unless it is named. */
  readonly format?: RequestFormat | undefined
  /** The header `x-session-id`, which has the limit of `session_id` when the body has none. */
  readonly sessionIdHeader?: string | undefined
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined
  /** The version is made only while this holds. A repeat is answered before that is judged. */
  readonly condition?: PresetCondition | undefined
  /** Whether the designated version stays: the new one is only stored. */
  readonly stage?: boolean | undefined
  /** The fields of the version that count in place of a request's own; none when left out. */
  readonly wins?: ReadonlyArray<string> | undefined
  /** What the author says about the version. */
  readonly comment?: string | null | undefined
  /** Reads the body. It is not run for a caller who may not write, or for an invalid slug. */
  readonly body: Effect.Effect<unknown, E, R>
  /** What makes two requests the same, where that is not the body. */
  readonly fingerprint?: string | undefined
}

/** The parts of another version that change; the rest stays. */
export interface VersionParts {
  /** The designated version when it is left out. */
  readonly from?: VersionPoint | undefined
  /** Fields of the config, in the format of that version. */
  readonly set?: Schema.JsonObject | undefined
  /** Names of fields to remove. */
  readonly unset?: ReadonlyArray<string> | undefined
  /** Null removes it. */
  readonly systemPrompt?: string | null | undefined
  readonly wins?: ReadonlyArray<string> | undefined
  readonly comment?: string | null | undefined
  readonly stage?: boolean | undefined
}

/** A version that is made from another one; `wanted` is read like the body of a creation. */
export interface VersionFromParts<E, R> extends PresetWrite<VersionParts, E, R> {
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined
}

/** A change of a preset that exists; `wanted` is read like the body of a creation. */
export interface PresetWrite<A, E, R> extends Named {
  /** The change is made only while this holds. */
  readonly condition?: PresetCondition | undefined
  readonly wanted: Effect.Effect<A, E, R>
}

/** A label of a preset of the caller's workspace. */
export interface NamedByLabel extends Named {
  readonly label: string
}

/** Where a label shall point: `wanted` is read like the body of a creation. */
export interface LabelWrite<E, R> extends NamedByLabel {
  /** The label is moved only while this holds of it. */
  readonly condition?: PresetCondition | undefined
  readonly wanted: Effect.Effect<VersionPoint, E, R>
}

/** A label that shall go. */
export interface LabelRemoval extends NamedByLabel {
  /** The label is removed only while this holds of it. */
  readonly condition?: PresetCondition | undefined
}

/** A version whose content shall go. */
export interface Erasure extends Named {
  readonly version: number
  /** The content is erased only while this holds of the preset. */
  readonly condition?: PresetCondition | undefined
}

/** A preset that shall go. */
export interface PresetRemoval extends Named {
  /** The preset is removed only while this holds of it. */
  readonly condition?: PresetCondition | undefined
}

/** Two versions to compare: of one preset, or of two. */
export interface Comparison {
  readonly from: VersionPoint
  readonly to: VersionPoint
  /** The preset that `to` is of; the same one when it is left out. */
  readonly slug?: string | undefined
}

/** What a request is laid over. */
export interface PresetWanted {
  readonly principal: Principal
  /** `slug`, `slug@version` or `slug@label`. */
  readonly preset: string
  /** Asks for the version that was designated, or labelled, then. */
  readonly at?: DateTime.Utc | undefined
  /** The format of the request that is laid over it; told by its fields when it is not named. */
  readonly format?: FormatName | undefined
}
