/**
 * What a key may do: the scopes of its kind, or those of them that it was given.
 */
import type { ApiKey, KeyKind } from "./ApiKey.ts"

/** Everything that a key can be allowed. */
export const scopes = [
  "presets:read",
  "presets:write",
  "transcriptions:read",
  "transcriptions:write",
  "usage:read"
] as const

/** A thing to do: a resource, and whether it is read or changed. */
export type Scope = (typeof scopes)[number]

/** What each kind may do at most. Only management keys change presets. */
export const kindScopes: Readonly<Record<KeyKind, ReadonlyArray<Scope>>> = {
  management: scopes,
  inference: ["presets:read", "transcriptions:read", "transcriptions:write", "usage:read"]
}

/** Whether a key may do that. A key without a list of its own may do what its kind may. */
export const isAllowed = ({ kind, scopes }: Allowance, scope: Scope): boolean =>
  kindScopes[kind].includes(scope) && (scopes === null || scopes.includes(scope))

/**
 * Whether a key may manage the keys of its workspace: one that was given less than its kind may
 * could otherwise make itself a key that has more.
 */
export const mayManageKeys = ({ kind, scopes }: Allowance): boolean =>
  kind === "management" && scopes === null

type Allowance = Pick<ApiKey, "kind" | "scopes">
