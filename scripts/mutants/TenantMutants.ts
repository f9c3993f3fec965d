/** Faults in workspaces and their keys: what they may do, until when, and how they change. */
import { core, type Mutant, memory, postgresTest, sql } from "./Mutant.ts"

const apiKeys = core("services/ApiKeys.ts")
const workspaces = core("services/Workspaces.ts")

const ledgerRows = sql("workspace/LedgerRows.ts")

const http = (path: string): string => `packages/http/src/${path}`
const ledgerTest = "packages/http/test/workspace/Ledger.test.ts"

const adapterTest = (name: string): string => `packages/adapters/test/${name}.test.ts`
const sqliteStores = adapterTest("sqlite/SqliteStores")

const test = (name: string): string => `packages/core/test/${name}.test.ts`

const keysTest = test("services/ApiKeys")
const rotationTest = test("services/KeyRotation")
const usesTest = test("services/KeyUses")
const workspacesTest = test("services/Workspaces")

export const tenantMutants: ReadonlyArray<Mutant> = [
  {
    fault: "a key opens at the instant at which it expires",
    file: core("domain/workspace/ApiKey.ts"),
    text: "DateTime.isLessThan(at, expiresAt)",
    instead: "DateTime.isLessThanOrEqualTo(at, expiresAt)",
    tests: [keysTest]
  },
  {
    fault: "the keys of a disabled workspace open",
    file: apiKeys,
    text: 'workspace._tag !== "Active"',
    instead: 'workspace._tag === "Deleting"',
    tests: [keysTest]
  },
  {
    fault: "a workspace revokes the keys of others",
    file: apiKeys,
    text: "known?.every(({ id }) => id !== keyId)",
    instead: "known?.length === -1",
    tests: [keysTest]
  },
  {
    fault: "a key may have one more scope than its kind",
    file: apiKeys,
    text: "!isOfKind(kind, scope)",
    instead: "scopes.length > 9 && !isOfKind(kind, scope)",
    tests: [keysTest]
  },
  {
    fault: "the user of a name is the same in all workspaces",
    file: apiKeys,
    text: "{id}/",
    instead: "{id.length}/",
    tests: [keysTest]
  },
  {
    fault: "a workspace forgets keys that ended lately",
    file: apiKeys,
    text: "DateTime.subtractDuration(now, duration)",
    instead: "DateTime.addDuration(now, duration)",
    tests: [keysTest]
  },
  {
    fault: "a revoked key is replaced by one that opens",
    file: apiKeys,
    text: "!isValidAt(old, now)",
    instead: "old.createdAt === now",
    tests: [rotationTest]
  },
  {
    fault: "two replacements of one key at once do not wait for each other",
    file: sql("SqlWorkspaceStore.ts"),
    text: 'alone(sql, "rotation", rotation)',
    instead: "sql.withTransaction(rotation)",
    tests: [postgresTest("PostgresStores")]
  },
  {
    fault: "each use of a key is told to the store",
    file: apiKeys,
    text: "millis - last < precisionMillis",
    instead: "millis < last - precisionMillis",
    tests: [usesTest]
  },
  {
    fault: "a use that the store did not take is forgotten for an hour",
    file: apiKeys,
    text: "told.delete(id)",
    instead: "told.has(id)",
    tests: [usesTest]
  },
  {
    fault: "a change of two things is two revisions",
    file: core("domain/workspace/WorkspaceChange.ts"),
    text: "events.length > 1",
    instead: "events.length > 2",
    tests: [test("domain/workspace/WorkspaceChange")]
  },
  {
    fault: "a change that came second is told as done",
    file: workspaces,
    text: "return isWritten ? changed : yield* new WorkspaceContended()",
    instead: "return isWritten || changed ? changed : yield* new WorkspaceContended()",
    tests: [workspacesTest]
  },
  {
    fault: "a workspace that is being deleted is given minutes",
    file: core("services/WorkspaceReads.ts"),
    text: 'workspace._tag === "Active" || workspace._tag === "Disabled"',
    instead: 'workspace._tag !== "Deleted"',
    tests: [workspacesTest]
  },
  {
    fault: "an external id stays with a workspace that is being deleted",
    file: core("domain/workspace/Workspace.ts"),
    text: '_tag: "Deleting", externalId: null })',
    instead: '_tag: "Deleting" })',
    tests: [workspacesTest]
  },
  {
    fault: "a page of a ledger begins with the last line of the page before",
    file: ledgerRows,
    text: "entry < $",
    instead: "entry <= $",
    tests: [sqliteStores]
  },
  {
    fault: "a ledger is read by its instants",
    file: ledgerRows,
    text: "ORDER BY entry DESC",
    instead: "ORDER BY at DESC",
    tests: [sqliteStores]
  },
  {
    fault: "a ledger names a credit as it is booked, and not as it was given",
    file: sql("workspace/Ledger.ts"),
    text: "while (id.startsWith(prefix))",
    instead: "while (id === prefix)",
    tests: [sqliteStores]
  },
  {
    fault: "a page of a ledger in memory begins with the last line of the page before",
    file: memory("MemoryLedger.ts"),
    text: "row.place < before",
    instead: "row.place <= before",
    tests: [adapterTest("memory/MemoryStores")]
  },
  {
    fault: "a key of a workspace reads the ledger of every other",
    file: http("serve/usage/UsageHandlers.ts"),
    text: "workspaceId === null || wanted === workspaceId",
    instead: "workspaceId === null || wanted !== null",
    tests: [ledgerTest]
  },
  {
    fault: "the last page of a ledger says that there is another",
    file: core("services/PageReads.ts"),
    text: "found.length > limit",
    instead: "found.length >= limit",
    tests: [ledgerTest]
  }
]
