/**
 * API keys: what they may do, what they look like, and how they are stored (never in the clear).
 */
import { Schema } from "effect"
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

/** A key as it is stored. */
export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  workspaceId: WorkspaceId,
  userId: UserId,
  kind: KeyKind,
  hash: KeyHash,
  /** The first characters of the token, so that a person can tell keys apart. */
  hint: Schema.String,
  createdAt: Schema.DateTimeUtcFromMillis,
  revokedAt: Schema.NullOr(Schema.DateTimeUtcFromMillis)
})
export type ApiKey = typeof ApiKey.Type

/** Random bytes in a token. */
export const tokenByteLength = 24

const prefixes: Record<KeyKind, string> = { management: "vbm_", inference: "vbi_" }

/** The token of a new key, from random bytes in hex. */
export const toToken = (kind: KeyKind, randomHex: string): string => prefixes[kind] + randomHex

/** The part of a token that may be shown: its prefix and four characters. */
export const toHint = (token: string): string => `${token.slice(0, 8)}…`

/** A token that an operator supplies: 32 to 256 printable ASCII characters, without spaces. */
export const isAcceptableToken = (token: string): boolean => /^[!-~]{32,256}$/.test(token)
