/**
 * Keys under which a client may send a request again.
 */
export {
  IdempotencyConflict,
  IdempotencyKey,
  isCurrentKey,
  keyKept,
  keyWindow
} from "./IdempotencyKey.ts"
