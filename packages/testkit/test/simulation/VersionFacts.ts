/** What a client of one preset notes about its versions. */
import type { Fact } from "#src/simulation/record/Facts"

/** A version that was made, or, without a number, may have been. */
export const created = (version: number | null, at: number): Fact => ({
  _tag: "VersionCreated",
  slug: "s",
  prompt: `p${at}`,
  version,
  isOpen: version === null,
  beganAt: at,
  endedAt: at + 1
})

/** A list of all versions, with the prompt of each. */
export const listed = (...versions: ReadonlyArray<readonly [number, string]>): Fact => ({
  _tag: "VersionsListed",
  slug: "s",
  versions: versions.map(([version, prompt]) => ({ version, prompt }))
})
