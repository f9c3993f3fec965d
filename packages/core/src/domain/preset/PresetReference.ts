/**
 * Parses a host's references: `slug` for a preset, `slug@version` for one of its versions, or
 * `slug@label` for the target of a label.
 */
import { parseReference } from "@verbatim/resolution"
import { Result } from "effect"
import { InvalidRequest } from "../schema/Problem.ts"
import * as PresetSlug from "./PresetSlug.ts"

/** A preset, with a version or a label. A reference without either means the designated version. */
export interface PresetReference {
  readonly slug: PresetSlug.PresetSlug
  readonly version?: number
  readonly label?: string
}

const rule = "a slug, or a slug, @ and a version number or a label"

const both = "takes a version or a label, not both"

const prefixed = "must have nothing before @preset/: a model belongs in the field model"

/** Returns the reason why a text is not a reference. */
const ruleFor = (text: string): string => {
  if (/.@preset\//.test(text)) return prefixed
  return /.@.+@./.test(text) ? both : rule
}

/** Parses a reference. A slug has no `@`, so the reference is unambiguous. */
export const decode = (text: string): Result.Result<PresetReference, InvalidRequest> => {
  const reference = parseReference(text)
  if (reference === undefined) {
    return Result.fail(new InvalidRequest({ problems: [{ path: "preset", rule: ruleFor(text) }] }))
  }
  return Result.map(PresetSlug.decode(reference.slug), (slug) => ({ ...reference, slug }))
}
