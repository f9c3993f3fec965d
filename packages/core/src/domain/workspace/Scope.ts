/**
 * What a key may do: the scopes of its kind, or those of them that it was given. The scope of a
 * label is given by name or not at all.
 */
import type { ApiKey, KeyKind } from "./ApiKey.ts"
import { isLabelName, type LabelName } from "./LabelName.ts"

/** Everything that a key can be allowed, but for labels. */
export const scopes = [
  "presets:read",
  "presets:write",
  "transcriptions:read",
  "transcriptions:write",
  "usage:read"
] as const

const labelPrefix = "labels:"

/** To move a label where it is protected, and to decide on its protection. */
export type LabelScope = `labels:${string}`

/** A thing to do: a resource, and whether it is read or changed; or a label that is moved. */
export type Scope = (typeof scopes)[number] | LabelScope

/** What each kind may do at most, but for labels. Only management keys change presets. */
export const kindScopes: Readonly<Record<KeyKind, ReadonlyArray<(typeof scopes)[number]>>> = {
  management: scopes,
  inference: ["presets:read", "transcriptions:read", "transcriptions:write", "usage:read"]
}

/** The scope of a label. */
export const toLabelScope = (label: LabelName): LabelScope => `${labelPrefix}${label}`

/** Whether a text is the scope of a label. */
export const isLabelScope = (text: string): text is LabelScope =>
  text.startsWith(labelPrefix) && isLabelName(text.slice(labelPrefix.length))

/** Whether a text names a scope. */
export const isScope = (text: string): text is Scope =>
  scopes.some((scope) => scope === text) || isLabelScope(text)

/** Whether keys of a kind may have a scope. */
export const isOfKind = (kind: KeyKind, scope: string): boolean =>
  isLabelScope(scope) ? kind === "management" : kindScopes[kind].some((each) => each === scope)

/**
 * Whether a key may do that. A key without a list of its own may do what its kind may, but for
 * labels.
 */
export const isAllowed = ({ kind, scopes }: Allowance, scope: Scope): boolean =>
  isOfKind(kind, scope) && (scopes === null ? !isLabelScope(scope) : scopes.includes(scope))

/** Whether a key has the scope of a label. */
export const hasLabelScope = (allowance: Allowance, label: LabelName): boolean =>
  isAllowed(allowance, toLabelScope(label))

/**
 * Whether a key may manage the keys of its workspace: one that was given less than its kind may
 * could otherwise make itself a key that has more.
 */
export const mayManageKeys = ({ kind, scopes }: Allowance): boolean =>
  kind === "management" && scopes === null

/** Whoever gives scopes to a key: an operator, or the bearer of another key. */
export type Giver = "operator" | "key"

/**
 * The first of these scopes that somebody may not give to a key, nor take over with a key that has
 * it. An operator gives any. A key gives none of a label: those that manage keys have no list of
 * scopes, so they have none themselves, and could otherwise make themselves keys that have.
 */
export const findUngiven = (giver: Giver, given: ReadonlyArray<string>): string | undefined =>
  giver === "operator" ? undefined : given.find(isLabelScope)

type Allowance = Pick<ApiKey, "kind" | "scopes">
