/**
 * The operations on usage as values.
 */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Resource, UsageAuthentication } from "../Authentication.ts"
import { describe } from "../OperationDescription.ts"
import { workspaceParams } from "../workspace/WorkspaceParameters.ts"
import { LedgerPage } from "./LedgerAnswers.ts"
import { ledgerQuery } from "./LedgerParameters.ts"
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

/** What the operations on ledgers take, and answer. */
const ofLedger = {
  query: ledgerQuery,
  success: LedgerPage,
  error: [UsageErrors[400], UsageErrors[404], UsageErrors[429]]
} as const

const newestFirst =
  "Each charge and each credit, the newest first. Whoever follows the cursors gets each line that" +
  " was there at the first page, once. Lines stay when their job is deleted."

const readLedger = HttpApiEndpoint.get("ledger", "/v1/workspaces/:id/ledger", {
  params: workspaceParams,
  ...ofLedger
}).annotateMerge(
  describe(
    "Read the ledger of a workspace",
    newestFirst,
    "An operator key reads that of every workspace, deleted ones too; a key of a workspace its own."
  )
)

const readOwnLedger = HttpApiEndpoint.get("ownLedger", "/v1/ledger", ofLedger).annotateMerge(
  describe("Read the ledger of one's own workspace", newestFirst)
)

/** What workspaces used. */
export const UsageApi = HttpApiGroup.make("usage")
  .add(read, readLedger, readOwnLedger)
  .middleware(UsageAuthentication)
  .annotate(Resource, "usage")
  .annotateMerge(
    OpenApi.annotations({
      title: "Usage",
      description: "What was charged and credited. Takes a key of a workspace, or an operator key."
    })
  )
