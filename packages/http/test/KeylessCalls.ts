/** Calls in which nobody shows a key, whatever their header says. */
import type { Call } from "./Deployment.ts"

const authorization = (value: string): Call => ({
  key: undefined,
  headers: { authorization: value }
})

/** What is missing, and the call. */
export const keyless = (key: string): ReadonlyArray<readonly [what: string, call: Call]> => [
  ["no key", { key: undefined }],
  ["another scheme", authorization("Basic abc")],
  ["a scheme without a key", authorization("Bearer ")],
  ["a key without a scheme", authorization(key)]
]
