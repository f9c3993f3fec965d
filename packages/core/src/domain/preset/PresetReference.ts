/**
 * Parses the references of a host: a preset by its slug, one of its versions as `slug@version`, or
 * the target of a label as `slug@label`.
 */
import { parseReference } from "@verbatim/resolution"
import { Result } from "effect"
import { InvalidRequest } from "../schema/Problem.ts"
import * as PresetSlug from "./PresetSlug.ts"

/** A preset with a version or a label, otherwise its designated version. */
export interface PresetReference {
  readonly slug: PresetSlug.PresetSlug
  readonly version?: number
  readonly label?: string
}

const rule = "a slug, or a slug, @ and a version number or a label"

const both = "takes a version or a label, not both"

const prefixed = "must have nothing before @preset/: a model belongs in the field model"

/** Returns why a text is not a reference. */
const ruleFor = (text: string): string => {
  if (/.@preset\//.test(text)) return prefixed
  return /.@.+@./.test(text) ? both : rule
}

/** Parses a reference. A slug has no `@`, so there is only one way to read it. */
export const decode = (text: string): Result.Result<PresetReference, InvalidRequest> => {
  const reference = parseReference(text)
  if (reference === undefined) {
    return Result.fail(new InvalidRequest({ problems: [{ path: "preset", rule: ruleFor(text) }] }))
  }
  return Result.map(PresetSlug.decode(reference.slug), (slug) => ({ ...reference, slug }))
}
