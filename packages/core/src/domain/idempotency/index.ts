/**
 * Keys with which a client can safely repeat a request.
 */
export {
  IdempotencyConflict,
  IdempotencyKey,
  isCurrentKey,
  keyKept,
  keyWindow
} from "./IdempotencyKey.ts"
