/**
 * An error as the AI SDK knows it: by symbols, so that nothing of the SDK is loaded. It is never
 * one to retry: requests have been tried again here, under one idempotency key.
 */

/** What the SDK keeps of a failed call. */
interface Failed {
  readonly url: string
  readonly statusCode?: number | undefined
  readonly responseHeaders?: Record<string, string> | undefined
  readonly responseBody?: string | undefined
  readonly cause?: unknown
}

/** Makes an error for which `APICallError.isInstance` holds. */
export const makeCallError = (message: string, failed: Failed): Error => {
  const { cause, ...rest } = failed
  const name = "AI_APICallError"
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), {
    name,
    [Symbol.for("vercel.ai.error")]: true,
    [Symbol.for(`vercel.ai.error.${name}`)]: true,
    requestBodyValues: {},
    isRetryable: false,
    ...rest
  })
}
