/** The bodies that the operations on workspaces take, as schemas. */
import { Rule } from "@verbatim/core/schema"
import { ExternalId, GivenStatus, Keywords, WorkspaceName } from "@verbatim/core/workspace"
import { Schema } from "effect"
import { GivenLimits } from "./LimitsView.ts"
import { RetentionBody } from "./RetentionWire.ts"
import { requests } from "./WorkspaceExamples.ts"

/** Ten million minutes are nineteen years: more is a typo. */
const minutesMax = 1e7

/** A workspace to make. Null says the same as leaving out, as answers show it. */
export const WorkspaceOrder = Schema.Struct({
  name: WorkspaceName.annotate({ description: "What people call it." }),
  external_id: Schema.optionalKey(
    Schema.NullOr(ExternalId).annotate({
      description: "The host's own name for it, which no other workspace has."
    })
  ),
  limits: Schema.optionalKey(
    Schema.NullOr(GivenLimits).annotate({
      description: "What it may ask for at most; no limit where it is left out."
    })
  )
}).annotate({ identifier: "WorkspaceOrder", examples: [requests.workspace] })

/** What to change about a workspace. */
export const ChangeBody = Schema.Struct({
  name: Schema.optionalKey(WorkspaceName),
  status: Schema.optionalKey(GivenStatus),
  limits: Schema.optionalKey(
    GivenLimits.annotate({
      description: "The limits to change; null takes one away, and one that is left out stays."
    })
  ),
  retention: Schema.optionalKey(RetentionBody),
  keywords: Schema.optionalKey(
    Schema.NullOr(Keywords).annotate({
      description: "The keywords from now on, all of them; null or an empty list for none."
    })
  )
}).annotate({
  identifier: "WorkspaceChange",
  examples: [requests.change]
})

/** Minutes to add. */
export const CreditBody = Schema.Struct({
  minutes: Schema.Finite.check(
    Rule.numberAtLeast(-minutesMax),
    Rule.numberAtMost(minutesMax)
  ).annotate({ description: "Minutes to add; a negative number takes some away." }),
  credit_id: Schema.optionalKey(
    Schema.NullOr(
      Schema.String.check(Schema.isUUID(undefined, { message: "must be a UUID" }))
    ).annotate({
      description:
        "A UUID of the caller's own: the same one counts once, so a caller without an answer may " +
        "ask again. Without it each request is a credit of its own."
    })
  )
}).annotate({ identifier: "Credit", examples: [requests.credit] })
