/**
 * Digests of values that many steps of a search look at, each made once.
 */
import { digestOf } from "../../model/Digest.ts"

const digests = new WeakMap<object, string>()

/** The digest of a value that is not changed any more. */
export const digestOnce = (value: object): string => {
  let digest = digests.get(value)
  if (digest === undefined) {
    digest = digestOf(value)
    digests.set(value, digest)
  }
  return digest
}
