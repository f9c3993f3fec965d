/**
 * The name of the file of a preset. Slugs may differ in nothing but case, be as long as a name on a
 * disk may be, or be names that some system keeps for itself; names of files may not.
 */
import { createHash } from "node:crypto"

/** What a preset is written as. */
export type FileFormat = "yaml" | "json"

/** Names that Windows keeps for devices, whatever comes after a dot. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/

/** Longest slug that names a file as it is; most disks take 255 bytes. */
const plainMax = 200

/** How much of another slug is told. */
const shownMax = 100

/** No tilde, which begins the digest of the others. */
const isPlain = (slug: string): boolean =>
  /^[a-z0-9_][a-z0-9._-]*$/.test(slug) &&
  !slug.endsWith(".") &&
  slug.length <= plainMax &&
  !devices.test(slug)

/** The name of a file that says by a digest whose it is. */
const digestNameOf = (slug: string, format: FileFormat): string => {
  const digest = createHash("sha256").update(slug).digest("hex").slice(0, 16)
  const shown = slug
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, "-")
    .slice(0, shownMax)
  return `_${shown}~${digest}.${format}`
}

/** The names of a file, the first one first: the same on every disk and for no other slug. */
export const fileNamesOf = (slug: string, format: FileFormat): ReadonlyArray<string> => [
  ...(isPlain(slug) ? [`${slug}.${format}`] : []),
  digestNameOf(slug, format)
]

/** Whether a file of that name may hold a preset. */
export const isPresetFile = (name: string): boolean =>
  /\.(?:ya?ml|json)$/i.test(name) && !name.startsWith(".")

/** The format that the name of a file tells. */
export const formatOfName = (name: string): FileFormat => (/\.json$/i.test(name) ? "json" : "yaml")

/** Longest file, in characters: four times what a request may be. */
export const fileLengthMax = 8 * 1_048_576
