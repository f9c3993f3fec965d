/**
 * API keys: what they may do, what they look like, and how they are stored (never in the clear).
 */
import { DateTime, Duration, Schema } from "effect"
import { limitFields } from "./Limits.ts"
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
