/**
 * One step on the file system as an effect: an exception becomes a `MediaStoreError` that keeps its
 * cause.
 */
import { open } from "node:fs/promises"
import { MediaStoreError } from "@verbatim/core/ports"
import { Effect } from "effect"

const unavailable = (operation: string, cause: unknown) =>
  new MediaStoreError({ operation, reason: { _tag: "Unavailable", cause } })

/** Runs a step. */
export const attempt = <A>(
  operation: string,
  step: () => Promise<A>
): Effect.Effect<A, MediaStoreError> =>
  Effect.tryPromise({ try: step, catch: (cause) => unavailable(operation, cause) })

/** Whether a step failed with one of these codes of the operating system. */
export const hasCode =
  (...codes: ReadonlyArray<string>) =>
  ({ reason }: MediaStoreError): boolean =>
    reason._tag === "Unavailable" &&
    reason.cause instanceof Error &&
    "code" in reason.cause &&
    codes.some((code) => code === Object(reason.cause).code)

/** Whether a file system has no hard links. */
export const hasNoLinks = hasCode("EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")

/** Makes the names in a folder durable. Windows has no such call and needs none. */
export const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === "win32") return
  const folder = await open(path, "r")
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
