/**
 * The name of a label, which points to a version of a preset, such as `production`. The same name
 * has the same protection and scope in all presets of a workspace.
 */
import { labelPattern } from "@verbatim/resolution"
import { Result, Schema } from "effect"
import { InvalidRequest } from "../schema/Problem.ts"

/** Maximum length of a label's name, in characters. */
export const labelNameMax = 63

/** Words that select a version without a label, so they cannot be label names. */
export const reservedNames: ReadonlyArray<string> = ["designated", "latest"]

const rule = [
  `a lowercase letter, then at most ${labelNameMax - 1} of a-z 0-9 _ -`,
  `and not ${reservedNames.join(" or ")}`
].join(", ")

/** A label name begins with a letter, so it is never a number. */
export const LabelName = Schema.String.check(
  Schema.isPattern(labelPattern, { message: rule }),
  Schema.makeFilter((name: string) => !reservedNames.includes(name), {
    message: rule,
    toJsonSchema: () => ({ not: { enum: [...reservedNames] } })
  })
).pipe(Schema.brand("LabelName"))
export type LabelName = typeof LabelName.Type

/** Whether text is a label name. */
export const isLabelName: (text: unknown) => text is LabelName = Schema.is(LabelName)

/** Parses a label name from outside. */
export const decode = (text: unknown): Result.Result<LabelName, InvalidRequest> =>
  isLabelName(text)
    ? Result.succeed(text)
    : Result.fail(new InvalidRequest({ problems: [{ path: "label", rule }] }))
