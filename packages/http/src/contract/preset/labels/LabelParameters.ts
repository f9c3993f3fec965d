/**
 * Labels in paths. The service judges their names, after the key: callers who may not write learn
 * nothing of them.
 */
import { labelNameMax, reservedNames } from "@verbatim/core/workspace"
import { Schema } from "effect"
import { presetParams } from "../PresetParameters.ts"

const words = reservedNames.map((name) => `\`${name}\``).join(" or ")

/** A label of all presets of a workspace. */
export const protectionParams = {
  label: Schema.String.annotate({
    "x-schema": {
      type: "string",
      minLength: 1,
      maxLength: labelNameMax,
      pattern: "^[a-z][a-z0-9_-]*$",
      description:
        "The name of the label: a lowercase letter, then at most " +
        `${labelNameMax - 1} of \`a-z 0-9 _ -\`, and not ${words}.`
    }
  })
}

/** A label of a preset. */
export const labelParams = { ...presetParams, ...protectionParams }
