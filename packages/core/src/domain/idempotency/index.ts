/**
 * Keys with which a client can safely repeat a request.
 */
export * from "./IdempotencyKey.ts"
