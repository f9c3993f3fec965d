/** The bodies of our own design that preset operations take, as schemas. */
import { PresetChange } from "@verbatim/core/preset"
import { Integer, Rule } from "@verbatim/core/schema"
import { Schema } from "effect"
import { countMax, PointBody } from "./VersionPoints.ts"

/** The version to designate. */
export const DesignationBody = Schema.Struct({
  version: Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(countMax)).annotate({
    description: "The number of an existing version."
  })
}).annotate({ identifier: "DesignatedVersion", examples: [{ version: 1 }] })

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
