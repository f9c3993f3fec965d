/** API keys: their permissions, tokens and stored form, which never contains the token. */
import { DateTime, Duration, type Option, type Redacted, Schema, Struct } from "effect"
import { charactersAtMost, notEmpty } from "../schema/Rule.ts"
import { isLabelName, type LabelName } from "./LabelName.ts"
import { type Limits, limitFields } from "./Limits.ts"
import { UserId, WorkspaceId } from "./Workspace.ts"

/**
 * The kind of a key. Only `management` keys can write presets; both kinds can read presets and
 * transcribe.
 */
export const KeyKind = Schema.Literals(["management", "inference"])
export type KeyKind = typeof KeyKind.Type

export const ApiKeyId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/**
 * Lower-case hex SHA-256 of a token. A generated token has 192 random bits, so it needs no salt.
 */
export const KeyHash = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/, { expected: "64 hexadecimal digits" })
).pipe(Schema.brand("KeyHash"))
export type KeyHash = typeof KeyHash.Type

const instant = Schema.DateTimeUtcFromMillis

/** A workspace's key, as it is stored. */
export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  workspaceId: WorkspaceId,
  userId: UserId,
  kind: KeyKind,
  hash: KeyHash,
  /** The first characters of the token, by which a person can tell keys apart. */
  hint: Schema.String,
  name: Schema.NullOr(Schema.String),
  /** The host's own name for the user; null for the workspace's first user. */
  holder: Schema.NullOr(Schema.String),
  /**
   * A subset of the scopes that the key's kind allows; null for all of them. The list may contain
   * names that only a newer release knows.
   */
  scopes: Schema.NullOr(Schema.Array(Schema.String)),
  createdAt: instant,
  /** The time when the key expires; null if it never does. */
  expiresAt: Schema.NullOr(instant),
  revokedAt: Schema.NullOr(instant),
  /** The time of the last use, accurate to `usePrecision`. */
  lastUsedAt: Schema.NullOr(instant),
  /** The key's limits, in addition to those of its workspace. */
  ...limitFields
})
export type ApiKey = typeof ApiKey.Type

/**
 * An operator key, as it is stored. It belongs to no workspace and manages all of them. It can
 * list, retry, redeliver and delete jobs, but gives no access to presets, recordings or text.
 */
export const OperatorKey = Schema.Struct(
  Struct.pick(ApiKey.fields, [
    "id",
    "hash",
    "hint",
    "name",
    "createdAt",
    "expiresAt",
    "revokedAt",
    "lastUsedAt"
  ])
)
export type OperatorKey = typeof OperatorKey.Type

/**
 * Precision of the time of a key's last use. Each process writes that time at most once per
 * interval.
 */
export const usePrecision = Duration.hours(1)

/** Whether the key is valid at the given time. */
export const isValidAt = (
  { expiresAt, revokedAt }: Pick<ApiKey, "expiresAt" | "revokedAt">,
  at: DateTime.Utc
): boolean => revokedAt === null && (expiresAt === null || DateTime.isLessThan(at, expiresAt))

/** Number of random bytes in a token. */
export const tokenByteLength = 24

const prefixes = { management: "vbm_", inference: "vbi_", operator: "vbo_" } as const

/** The kinds of keys, each of which has its own token prefix. */
export type KeyPrefix = keyof typeof prefixes

/** Creates the token of a new key from random bytes in hex. */
export const toToken = (prefix: KeyPrefix, randomHex: string): string =>
  prefixes[prefix] + randomHex

/** Returns the part of a token that can be shown: its prefix and four characters. */
export const toHint = (token: string): string => `${token.slice(0, 8)}…`

/**
 * Minimum number of different characters in a token. Only one in a thousand strings of 32 random
 * digits has fewer.
 */
const distinctMin = 8

/**
 * Maximum fraction of a token that repeats the block before it. Fewer than one in a billion strings
 * of 32 random digits exceed it.
 */
const repeatedMax = 0.75

/**
 * Whether text consists almost only of repetitions of a block, which is at most half as long as the
 * text.
 */
const isRepetitive = (text: string): boolean => {
  for (let length = 1; length <= text.length / 2; length += 1) {
    // Repetitive text matches itself when it is shifted by the length of its block, except for a
    // few added characters.
    let same = 0
    for (let at = length; at < text.length; at += 1) if (text[at] === text[at - length]) same += 1
    if (same > (text.length - length) * repeatedMax) return true
  }
  return false
}

/** Whether more than half of the characters continue a sequence such as `abc` or `321`. */
const isSequence = (text: string): boolean => {
  let steps = 0
  for (let at = 1; at < text.length; at += 1) {
    if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) === 1) steps += 1
  }
  return steps > text.length / 2
}

/** Whether a token looks as if a person typed it, and so could be guessed. */
const isGuessable = (token: string): boolean =>
  new Set(token).size < distinctMin || isRepetitive(token) || isSequence(token)

/** The rule of `isAcceptableToken`, as a sentence for an operator. */
export const acceptableToken = [
  "32 to 256 printable ASCII characters that are hard to guess",
  "(not a few different ones, a repeated block or a sequence)"
].join(" ")

/**
 * Whether a token that an operator chose is acceptable: 32 to 256 printable ASCII characters,
 * without spaces. Obviously weak tokens are refused, but randomness cannot be checked.
 */
export const isAcceptableToken = (token: string): boolean =>
  /^[!-~]{32,256}$/.test(token) && !isGuessable(token)

// A key has all scopes of its kind, or the subset that it was given. Label scopes must always be
// given by name.

/** All scopes except label scopes. */
export const scopes = [
  "presets:read",
  "presets:write",
  "transcriptions:read",
  "transcriptions:write",
  "usage:read"
] as const

const labelPrefix = "labels:"

/** The permission to move a protected label, and to change its protection. */
export type LabelScope = `labels:${string}`

/** A permission to read or change a resource, or to move a label. */
export type Scope = (typeof scopes)[number] | LabelScope

/** The scopes of each kind of key, except label scopes. Only management keys can change presets. */
export const kindScopes: Readonly<Record<KeyKind, ReadonlyArray<(typeof scopes)[number]>>> = {
  management: scopes,
  inference: ["presets:read", "transcriptions:read", "transcriptions:write", "usage:read"]
}

/** Returns the scope that is needed to move a label. */
export const toLabelScope = (label: LabelName): LabelScope => `${labelPrefix}${label}`

/** Whether text is a label scope. */
export const isLabelScope = (text: string): text is LabelScope =>
  text.startsWith(labelPrefix) && isLabelName(text.slice(labelPrefix.length))

/** Whether text names a scope. */
export const isScope = (text: string): text is Scope =>
  scopes.some((scope) => scope === text) || isLabelScope(text)

/** Whether keys of this kind can have this scope. */
export const isOfKind = (kind: KeyKind, scope: string): boolean =>
  isLabelScope(scope) ? kind === "management" : kindScopes[kind].some((each) => each === scope)

/**
 * Whether a key has a scope. A key without a list of scopes has all scopes of its kind, except
 * label scopes.
 */
export const isAllowed = ({ kind, scopes }: Allowance, scope: Scope): boolean =>
  isOfKind(kind, scope) && (scopes === null ? !isLabelScope(scope) : scopes.includes(scope))

/** Whether a key has a label's scope. */
export const hasLabelScope = (allowance: Allowance, label: LabelName): boolean =>
  isAllowed(allowance, toLabelScope(label))

/**
 * Whether a key can manage the keys of its workspace. A key with a list of scopes cannot, because
 * it could create a key with more scopes.
 */
export const mayManageKeys = ({ kind, scopes }: Allowance): boolean =>
  kind === "management" && scopes === null

/** The issuer of a key: an operator, or the bearer of another key. */
export type Issuer = "operator" | "key"

/**
 * Returns the first of these scopes that the issuer can neither give to a key nor get by replacing
 * a key. An operator can give any scope. A key cannot give label scopes: a key that manages keys
 * has none itself, but could otherwise create keys with them.
 */
export const findForbiddenScope = (
  giver: Issuer,
  requested: ReadonlyArray<string>
): string | undefined => (giver === "operator" ? undefined : requested.find(isLabelScope))

type Allowance = Pick<ApiKey, "kind" | "scopes">

/** Maximum length of the name of a key or a host's user, in code points. */
const nameMax = 255

/** The name of a key or a host's user. */
export const KeyName = Schema.String.check(notEmpty, charactersAtMost(nameMax))

/** A request for a key, with a given token or a new one. */
export interface KeyOrder {
  readonly kind: KeyKind
  readonly token: Option.Option<Redacted.Redacted>
  readonly name?: string | undefined
  /** The host's own name for the key's user; by default, the user is the workspace's first. */
  readonly holder?: string | undefined
  /** A subset of the scopes of the key's kind; by default all of them except label scopes. */
  readonly scopes?: ReadonlyArray<Scope> | undefined
  readonly expiresAt?: DateTime.Utc | undefined
  /** The issuer of the key; an operator or a host by default. */
  readonly giver?: Issuer | undefined
  /** Limits of the key; none by default. */
  readonly limits?: Limits | undefined
}

/** An authenticated caller: the bearer of a valid key, or the host that embeds the library. */
export interface Principal {
  readonly kind: KeyKind
  readonly workspaceId: WorkspaceId
  readonly userId: UserId
  /** A subset of the scopes of the key's kind; missing or null for all of them. */
  readonly scopes?: ReadonlyArray<string> | null
  /** The caller's key; missing for a host, which has none. */
  readonly keyId?: ApiKeyId
  /** Limits of the key; missing if it has none. */
  readonly limits?: Limits
  /** The limits that the workspace had when the key was looked up. */
  readonly workspaceLimits?: Limits
}
