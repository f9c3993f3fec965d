/**
 * What a new key shall be.
 */
import type { DateTime, Option, Redacted } from "effect"
import { Schema } from "effect"
import { charactersAtMost, notEmpty } from "../schema/Rule.ts"
import type { KeyKind } from "./ApiKey.ts"
import type { Limits } from "./Limits.ts"
import type { Giver, Scope } from "./Scope.ts"

/** What people call a key, or a host its user, in code points. */
const nameMax = 255

/** The name of a key, or that of a host's user. */
export const KeyName = Schema.String.check(notEmpty, charactersAtMost(nameMax))

/** A key to issue: with a supplied token, or with a new one. */
export interface KeyOrder {
  readonly kind: KeyKind
  readonly token: Option.Option<Redacted.Redacted>
  readonly name?: string | undefined
  /** The host's own name for the user; the workspace's first user when it is left out. */
  readonly holder?: string | undefined
  /** Of those that its kind has; all of them, but none of a label, when they are left out. */
  readonly scopes?: ReadonlyArray<Scope> | undefined
  readonly expiresAt?: DateTime.Utc | undefined
  /** Who orders it; an operator, or a host, when it is left out. */
  readonly giver?: Giver | undefined
  /** None when they are left out. */
  readonly limits?: Limits | undefined
}
