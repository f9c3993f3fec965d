/**
 * The operation on usage as a value.
 */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Resource, UsageAuthentication } from "../Authentication.ts"
import { describe } from "../OperationDescription.ts"
import { UsagePage } from "./UsageAnswers.ts"
import { UsageErrors } from "./UsageErrors.ts"
import { usageQuery } from "./UsageParameters.ts"

const read = HttpApiEndpoint.get("read", "/v1/usage", {
  query: usageQuery,
  success: UsagePage,
  error: [UsageErrors[400], UsageErrors[404], UsageErrors[429]]
}).annotateMerge(
  describe(
    "Read what was used",
    "What was charged and credited, by day, by key or by workspace. A key of a workspace reads its",
    "own; an operator key reads all workspaces or one, deleted ones too."
  )
)

/** What workspaces used. */
export const UsageApi = HttpApiGroup.make("usage")
  .add(read)
  .middleware(UsageAuthentication)
  .annotate(Resource, "usage")
  .annotateMerge(
    OpenApi.annotations({
      title: "Usage",
      description: "What was charged and credited. Takes a key of a workspace, or an operator key."
    })
  )
