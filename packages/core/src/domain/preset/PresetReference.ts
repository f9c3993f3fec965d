/**
 * How a host names what it wants: a preset by its slug, one of its versions as `slug@version`, or
 * what a label points to as `slug@label`.
 */
import { parseReference } from "@verbatim/resolution"
import { Result } from "effect"
import { InvalidRequest } from "../schema/Problem.ts"
import * as PresetSlug from "./PresetSlug.ts"

/** A preset and what of it is meant: a version, a label, or else the designated version. */
export interface PresetReference {
  readonly slug: PresetSlug.PresetSlug
  readonly version?: number
  readonly label?: string
}

const rule = "a slug, or a slug, @ and a version number or a label"

const both = "takes a version or a label, not both"

/** A reference with two parts behind its slug. */
const isDoubled = /.@.+@./

/** Reads a reference. A slug holds no `@`, so there is only one way to read it. */
export const decode = (text: string): Result.Result<PresetReference, InvalidRequest> => {
  const reference = parseReference(text)
  if (reference === undefined) {
    const broken = isDoubled.test(text) ? both : rule
    return Result.fail(new InvalidRequest({ problems: [{ path: "preset", rule: broken }] }))
  }
  return Result.map(PresetSlug.decode(reference.slug), (slug) => ({ ...reference, slug }))
}
