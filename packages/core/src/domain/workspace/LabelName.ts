/**
 * The name of a label: a pointer to a version of a preset that teams move, such as `production`.
 * All presets of a workspace share these names, and protection and scopes speak of them.
 */
import { labelPattern } from "@verbatim/resolution"
import { Result, Schema } from "effect"
import { InvalidRequest } from "../schema/Problem.ts"

/** Longest name, in characters. */
export const labelNameMax = 63

/** Words that name a version without any label, so no label can be called so. */
export const reservedNames: ReadonlyArray<string> = ["designated", "latest"]

const rule = [
  `a small letter, then at most ${labelNameMax - 1} of a-z 0-9 _ -`,
  `and not ${reservedNames.join(" or ")}`
].join(", ")

/** It begins with a letter, so it is never a number. */
export const LabelName = Schema.String.check(
  Schema.isPattern(labelPattern, { message: rule }),
  Schema.makeFilter((name: string) => !reservedNames.includes(name), {
    message: rule,
    toJsonSchema: () => ({ not: { enum: [...reservedNames] } })
  })
).pipe(Schema.brand("LabelName"))
export type LabelName = typeof LabelName.Type

/** Whether a text is the name of a label. */
export const isLabelName: (text: unknown) => text is LabelName = Schema.is(LabelName)

/** Reads a name that came from outside. */
export const decode = (text: unknown): Result.Result<LabelName, InvalidRequest> =>
  isLabelName(text)
    ? Result.succeed(text)
    : Result.fail(new InvalidRequest({ problems: [{ path: "label", rule }] }))
