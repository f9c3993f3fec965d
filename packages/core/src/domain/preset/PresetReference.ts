/**
 * How a host names what it wants: a preset by its slug, or one of its versions as `slug@version`.
 */
import { Option, Result } from "effect"
import { InvalidRequest } from "../schema/Problem.ts"
import * as PresetSlug from "./PresetSlug.ts"

/** A preset, and the version that is meant; none means the designated one. */
export interface PresetReference {
  readonly slug: PresetSlug.PresetSlug
  readonly version: Option.Option<number>
}

const rule = "a slug, or a slug, @ and a version number"

/** Reads `slug` or `slug@version`. A slug holds no `@`, so there is only one way to read it. */
export const decode = (text: string): Result.Result<PresetReference, InvalidRequest> => {
  const [name = "", number, ...rest] = text.split("@")
  if (rest.length > 0 || (number !== undefined && !/^[1-9]\d{0,14}$/.test(number))) {
    return Result.fail(new InvalidRequest({ problems: [{ path: "preset", rule }] }))
  }
  return Result.map(PresetSlug.decode(name), (slug) => ({
    slug,
    version: Option.map(Option.fromUndefinedOr(number), Number)
  }))
}
