/** The bodies of our own design that preset operations take, as schemas. */
import { PresetChange, PresetConfig, VersionComment, Wins } from "@verbatim/core/preset"
import { Integer, Rule } from "@verbatim/core/schema"
import { Schema } from "effect"
import { countMax, PointBody } from "./VersionPoints.ts"

/** The version to designate. */
export const DesignationBody = Schema.Struct({
  version: Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(countMax)).annotate({
    description: "The number of an existing version."
  })
}).annotate({ identifier: "DesignatedVersion", examples: [{ version: 1 }] })

/** The parts of another version that change. The service judges the new fields. */
export const PartsBody = Schema.Struct({
  from: Schema.optionalKey(
    PointBody.annotate({
      description:
        "The version that the rest is taken from: its number, a label, `latest` or, if left " +
        "out, `designated`."
    })
  ),
  set: Schema.optionalKey(
    PresetConfig.annotate({
      description: "Fields of the config, judged as a request in the format of that version."
    })
  ),
  unset: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Names of fields to remove." })
  ),
  system_prompt: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "A new system prompt; null for none." })
  ),
  wins: Schema.optionalKey(Wins),
  comment: Schema.optionalKey(
    Schema.NullOr(VersionComment).annotate({
      description:
        "What the author says about the version. The comment of the other one is not kept."
    })
  ),
  stage: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Whether the version is only stored, and not designated."
    })
  )
}).annotate({
  identifier: "PresetParts",
  examples: [{ set: { temperature: 0.2 }, comment: "Cooler." }]
})

/** Where a label shall point. */
export const LabelBody = Schema.Struct({
  version: PointBody.annotate({
    description:
      "The number of an existing version, or what points to one: `designated`, `latest` or " +
      "another label."
  })
}).annotate({ identifier: "LabelPoint", examples: [{ version: 1 }] })

/** What to change. */
export const ChangeBody = PresetChange.annotate({
  identifier: "PresetChange",
  examples: [{ status: "disabled", description: "Not for now." }]
})
