/**
 * Secrets for signing webhooks: `whsec_` and the base64 of 24 to 64 random bytes, as specified by
 * Standard Webhooks. Secrets are redacted, so that no log or error shows them by accident.
 */
import { Context, Effect, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Base64 from "effect/encoding/Base64"
import { WorkspaceId } from "./Workspace.ts"

const prefix = "whsec_"

/** Minimum length of a secret in bytes, before base64 (Standard Webhooks, symmetric signatures). */
const lengthMin = 24
const lengthMax = 64

/** Number of random bytes in a generated secret, which is the output length of HMAC-SHA256. */
const ownLength = 32

/**
 * Maximum number of secrets of a workspace: enough for a rotation. Every webhook contains a
 * signature for each secret.
 */
export const secretMax = 8

/** Returns the bytes of a secret; undefined if it is invalid. */
const bytesOf = (text: string): Uint8Array | undefined => {
  if (!text.startsWith(prefix)) return undefined
  const bytes = Result.getOrUndefined(Base64.decode(text.slice(prefix.length)))
  const isSecret = bytes !== undefined && bytes.length >= lengthMin && bytes.length <= lengthMax
  // The base64 must be canonical, because not all libraries decode line breaks and stray bits in
  // the same way.
  return isSecret && prefix + Base64.encode(bytes) === text ? bytes : undefined
}

/** Whether text is a valid secret. */
export const isSecret = (text: string): boolean => bytesOf(text) !== undefined

/** A secret as redacted text. */
export const SecretText = Schema.RedactedFromValue(
  Schema.String.check(Schema.makeFilter(isSecret, { expected: "a webhook secret" }))
)
export type SecretText = typeof SecretText.Type

/** Parses secrets that are separated by spaces; undefined if one of them is malformed. */
export const secretsFrom = (text: string): ReadonlyArray<SecretText> | undefined => {
  const texts = text.split(" ").filter((each) => each !== "")
  const areSecrets = texts.length > 0 && texts.length <= secretMax && texts.every(isSecret)
  return areSecrets ? texts.map((each) => Redacted.make(each)) : undefined
}

/** Returns the bytes of a secret, which are the key for HMAC. */
export const keyOf = (secret: SecretText): Uint8Array =>
  bytesOf(Redacted.value(secret)) ?? new Uint8Array()

/** Generates a new secret. */
export const generate = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const bytes = yield* random.randomBytes(ownLength)
  return Redacted.make(prefix + Base64.encode(bytes))
})

export const WebhookSecretId = Schema.String.check(Schema.isUUID()).pipe(
  Schema.brand("WebhookSecretId")
)
export type WebhookSecretId = typeof WebhookSecretId.Type

/** A webhook secret, as it is stored with its workspace. */
export const WebhookSecret = Schema.Struct({
  id: WebhookSecretId,
  workspaceId: WorkspaceId,
  secret: SecretText,
  createdAt: Schema.DateTimeUtcFromMillis
})
export type WebhookSecret = typeof WebhookSecret.Type

/** The operator's webhook secrets, for workspaces without their own. */
export const DefaultSecrets: Context.Reference<ReadonlyArray<SecretText>> = Context.Reference(
  "@verbatim/core/domain/workspace/DefaultSecrets",
  { defaultValue: (): ReadonlyArray<SecretText> => [] }
)
