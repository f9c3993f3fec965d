/**
 * The name of a preset in a path. A slug is case-sensitive, unique in its workspace, and never
 * needs escapes.
 */
import { Result, Schema } from "effect"
import { InvalidRequest } from "../schema/Problem.ts"

/** Maximum length of a slug, in characters. */
export const slugMax = 255

const rule = `1 to ${slugMax} of A-Z a-z 0-9 . _ ~ -, and neither . nor ..`

const pattern = /^[A-Za-z0-9._~-]{1,255}$/

/** Whether URL parsers would remove the slug from a path, as they do with `.` and `..`. */
const vanishes = (slug: string): boolean => slug === "." || slug === ".."

/**
 * A slug has 1 to 255 unreserved characters (RFC 3986). `.` and `..` are excluded, because URL
 * parsers remove them from a path.
 */
export const PresetSlug = Schema.String.check(
  Schema.isPattern(pattern, { message: rule }),
  Schema.makeFilter((slug: string) => !vanishes(slug), {
    message: rule,
    toJsonSchema: () => ({ not: { enum: [".", ".."] } })
  })
).pipe(Schema.brand("PresetSlug"))
export type PresetSlug = typeof PresetSlug.Type

/** Checks the schema's rule without the schema, because the check runs on every request. */
const isSlug = (slug: unknown): slug is PresetSlug =>
  typeof slug === "string" && pattern.test(slug) && !vanishes(slug)

/** Parses a slug from a path after all escapes were decoded. */
export const decode = (slug: unknown): Result.Result<PresetSlug, InvalidRequest> =>
  isSlug(slug)
    ? Result.succeed(slug)
    : Result.fail(new InvalidRequest({ problems: [{ path: "slug", rule }] }))
