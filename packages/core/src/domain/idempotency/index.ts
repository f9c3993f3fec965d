/**
 * Keys under which a client may send a request again.
 */
export { IdempotencyConflict } from "./IdempotencyConflict.ts"
export { IdempotencyKey, isCurrentKey, keyKept, keyWindow } from "./IdempotencyKey.ts"
