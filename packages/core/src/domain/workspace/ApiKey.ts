/**
 * API keys: what they may do, what they look like, and how they are stored (never in the clear).
 */
import { DateTime, Duration, type Option, type Redacted, Schema } from "effect"
import { charactersAtMost, notEmpty } from "../schema/Rule.ts"
import { isLabelName, type LabelName } from "./LabelName.ts"
import { type Limits, limitFields } from "./Limits.ts"
import { UserId, WorkspaceId } from "./Workspace.ts"

/** `management` may write presets; both kinds read presets and transcribe. */
export const KeyKind = Schema.Literals(["management", "inference"])
export type KeyKind = typeof KeyKind.Type

export const ApiKeyId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** SHA-256 of a token in lower-case hex. A token has 192 random bits, so it needs no salt. */
export const KeyHash = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/, { expected: "64 hexadecimal digits" })
).pipe(Schema.brand("KeyHash"))
export type KeyHash = typeof KeyHash.Type

const instant = Schema.DateTimeUtcFromMillis

/** A key as it is stored. */
export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  workspaceId: WorkspaceId,
  userId: UserId,
  kind: KeyKind,
  hash: KeyHash,
  /** The first characters of the token, so that a person can tell keys apart. */
  hint: Schema.String,
  name: Schema.NullOr(Schema.String),
  /** The host's own name for the user. Null where the key is the workspace's first user's. */
  holder: Schema.NullOr(Schema.String),
  /** What it may do of what its kind may; null for all of it. A newer program knows more names. */
  scopes: Schema.NullOr(Schema.Array(Schema.String)),
  createdAt: instant,
  /** From when on it is refused; null for never. */
  expiresAt: Schema.NullOr(instant),
  revokedAt: Schema.NullOr(instant),
  /** Within `usePrecision`. */
  lastUsedAt: Schema.NullOr(instant),
  /** Beside those of its workspace. */
  ...limitFields
})
export type ApiKey = typeof ApiKey.Type

/** How exact the last use is: each process writes it once in this time at most. */
export const usePrecision = Duration.hours(1)

/** Whether it stands for its holder at an instant. */
export const isValidAt = (
  { expiresAt, revokedAt }: Pick<ApiKey, "expiresAt" | "revokedAt">,
  at: DateTime.Utc
): boolean => revokedAt === null && (expiresAt === null || DateTime.isLessThan(at, expiresAt))

/** Random bytes in a token. */
export const tokenByteLength = 24

const prefixes = { management: "vbm_", inference: "vbi_", operator: "vbo_" } as const

/** The kinds of keys that tokens tell by how they begin. */
export type KeyPrefix = keyof typeof prefixes

/** The token of a new key, from random bytes in hex. */
export const toToken = (prefix: KeyPrefix, randomHex: string): string =>
  prefixes[prefix] + randomHex

/** The part of a token that may be shown: its prefix and four characters. */
export const toHint = (token: string): string => `${token.slice(0, 8)}…`

/** Different characters of a token: 32 random digits have fewer once in a thousand times. */
const distinctMin = 8

/**
 * What of a text may be as it was a block before. Of 32 random digits, more are so once in more
 * than a thousand million times.
 */
const repeatedMax = 0.75

/** Whether a text is hardly more than one block again and again, of half its length at most. */
const isRepetitive = (text: string): boolean => {
  for (let length = 1; length <= text.length / 2; length += 1) {
    // Moved by the length of its block, such a text lies on itself, but for what was put around it.
    let same = 0
    for (let at = length; at < text.length; at += 1) if (text[at] === text[at - length]) same += 1
    if (same > (text.length - length) * repeatedMax) return true
  }
  return false
}

/** Whether more than half of the characters follow on the one before, up or down: `abc`, `321`. */
const isSequence = (text: string): boolean => {
  let steps = 0
  for (let at = 1; at < text.length; at += 1) {
    if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) === 1) steps += 1
  }
  return steps > text.length / 2
}

/** Whether a token is one that people type rather than make: nobody needs luck to guess it. */
const isGuessable = (token: string): boolean =>
  new Set(token).size < distinctMin || isRepetitive(token) || isSequence(token)

/** What `isAcceptableToken` takes, in words for an operator. */
export const acceptableToken = [
  "32 to 256 printable ASCII characters that are hard to guess",
  "(not a few different ones, not one block again and again, not a sequence)"
].join(" ")

/**
 * A token that an operator supplies: 32 to 256 printable ASCII characters, without spaces. What is
 * obviously weak is refused; that a token is random nobody can see.
 */
export const isAcceptableToken = (token: string): boolean =>
  /^[!-~]{32,256}$/.test(token) && !isGuessable(token)

// What a key may do: the scopes of its kind, or those of them that it was given. The scope of a
// label is given by name or not at all.

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

// What a new key shall be.

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

// Who is asking: what a valid API key stands for.

/** The bearer of a valid key, or the host that embeds the library. */
export interface Principal {
  readonly kind: KeyKind
  readonly workspaceId: WorkspaceId
  readonly userId: UserId
  /** What the key may do of what its kind may; left out, or null, for all of it. */
  readonly scopes?: ReadonlyArray<string> | null
  /** Left out by a host, which has none. */
  readonly keyId?: ApiKeyId
  /** What may be asked for with the key at most; no limits where they are left out. */
  readonly limits?: Limits
  /** The same in its workspace, when the key was looked up. */
  readonly workspaceLimits?: Limits
}
