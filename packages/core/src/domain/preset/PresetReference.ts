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

const prefixed = "must have nothing before @preset/: a model belongs in the field model"

/** What is wrong with a text that is no reference. */
const ruleFor = (text: string): string => {
  if (/.@preset\//.test(text)) return prefixed
  return /.@.+@./.test(text) ? both : rule
}

/** Reads a reference. A slug holds no `@`, so there is only one way to read it. */
export const decode = (text: string): Result.Result<PresetReference, InvalidRequest> => {
  const reference = parseReference(text)
  if (reference === undefined) {
    return Result.fail(new InvalidRequest({ problems: [{ path: "preset", rule: ruleFor(text) }] }))
  }
  return Result.map(PresetSlug.decode(reference.slug), (slug) => ({ ...reference, slug }))
}
