/** The bodies that the operations on keys take, as schemas. */
import { Integer, instantForm, Rule, readInstant } from "@verbatim/core/schema"
import { isLabelScope, KeyKind, KeyName, labelNameMax, scopes } from "@verbatim/core/workspace"
import { Option, Schema } from "effect"
import { GivenLimits } from "./LimitsView.ts"
import { requests } from "./WorkspaceExamples.ts"

const Instant = Schema.String.check(
  Schema.makeFilter<string>((text) => Option.isSome(readInstant(text)), {
    message: "must be an instant such as 2030-01-02T03:04:05Z",
    toJsonSchema: () => ({ format: "date-time", pattern: instantForm.source })
  })
)

/** What may be left out; null says the same, as answers show it. */
const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ description }))

const scopeRule = `must be one of ${scopes.join(", ")}, or labels: and the name of a label`

/** The scope of a label, which only operators give. */
const LabelScope = Schema.TemplateLiteral(["labels:", Schema.String]).check(
  Schema.makeFilter<string>(isLabelScope, {
    message: scopeRule,
    toJsonSchema: () => ({ pattern: `^labels:[a-z][a-z0-9_-]{0,${labelNameMax - 1}}$` })
  })
)

const Scopes = Schema.Array(
  Schema.Union([Schema.Literals(scopes), LabelScope]).annotate({ message: scopeRule })
).check(Rule.someItems("scope"), Schema.isUnique({ message: "must not name a scope twice" }))

/** A key to issue. */
export const KeyOrder = Schema.Struct({
  kind: KeyKind.annotate({ description: "Only management keys change presets and manage keys." }),
  name: optional(KeyName, "What people call it."),
  user: optional(
    KeyName,
    "The host's own name for the user whom the key belongs to; the first user of the workspace " +
      "when it is left out."
  ),
  scopes: optional(
    Scopes,
    "What the key may do of what its kind may; all of that, but for labels, when it is left out. " +
      "The scope `labels:<name>`, for management keys, moves that label where it is protected; " +
      "only operators give it. A key with a list of scopes manages no keys."
  ),
  expires_at: optional(Instant, "From when on the key is refused; it lies in the future."),
  limits: optional(
    GivenLimits,
    "What may be asked for with the key at most, beside the limits of its workspace."
  )
}).annotate({ identifier: "KeyOrder", examples: [requests.key] })

/** Thirty days: longer than it takes to bring a new key everywhere. */
const overlapMax = 2_592_000

/** An hour. */
export const overlapDefault = 3_600

/** How a key is replaced. */
export const Rotation = Schema.Struct({
  overlap_seconds: Schema.optionalKey(
    Integer.check(Rule.numberAtLeast(0), Rule.numberAtMost(overlapMax)).annotate({
      description: `How long the old key goes on being valid; ${overlapDefault} when left out.`
    })
  )
}).annotate({ identifier: "KeyRotation", examples: [requests.rotation] })
