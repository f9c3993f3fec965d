/** Faults in what callers share: statements, sessions and sweeps that make one pay for another. */
import { core, type Mutant, onPostgres, postgresTest, sql } from "./Mutant.ts"

const commits = onPostgres("CommitStatement.ts")
const inserts = onPostgres("InsertStatement.ts")
const limited = onPostgres("LimitedInserts.ts")
const gathered = "packages/adapters/src/postgres/gather/Gathered.ts"
const leases = onPostgres("LeaseStatement.ts")
const keys = sql("job/IdempotencyRows.ts")
const sweeping = sql("job/Sweeping.ts")

const jobStore = [postgresTest("PostgresStores")]
const lockedRows = [postgresTest("LockedRows")]
const lookups = ["packages/adapters/test/sqlite/SqliteLookups.test.ts"]
const sweeps = ["packages/adapters/test/sql/Sweeping.test.ts"]
const waits = [postgresTest("Waits")]
const idempotencyKeys = [postgresTest("IdempotencyKeys")]

export const sharedWorkMutants: ReadonlyArray<Mutant> = [
  {
    fault: "a sweep that keeps failing is told every minute",
    file: sweeping,
    text: "failures === patience",
    instead: "failures >= patience",
    tests: sweeps
  },
  {
    fault: "failures of a sweep are counted over successes",
    file: sweeping,
    text: "failures = 0\n        })",
    instead: "failures += 0\n        })",
    tests: sweeps
  },
  {
    fault: "a shared commit is fenced by no lease",
    file: commits,
    text: "WHERE job.token IS NULL OR held.is_held)",
    instead: "WHERE TRUE)",
    tests: jobStore
  },
  {
    fault: "two commits of one job are in one statement",
    file: gathered,
    text: "inTurn(subjects(question), together(question))",
    instead: "inTurn([], together(question))",
    tests: [postgresTest("SharedStatements")]
  },
  {
    fault: "shared commits wait for jobs that are locked",
    file: commits,
    text: 'typeof waiting === "object" ? "" : "SKIP LOCKED"',
    instead: 'typeof waiting === "object" ? "" : ""',
    tests: lockedRows
  },
  {
    fault: "shared commits wait for a balance as long as they may",
    file: commits,
    text: 'Effect.catchIf(isLocked, () => write(sql, sorted, "Nobody")),',
    instead: "Effect.catchIf(isLocked, () => write(sql, sorted, { millis: undefined })),",
    tests: lockedRows
  },
  {
    fault: "a claim gives out a job twice that its two statements lease",
    file: onPostgres("ClaimStatement.ts"),
    text: "rows: together(first.rows, second.rows)",
    instead: "rows: [...first.rows, ...second.rows]",
    tests: [postgresTest("CrowdedClaim")]
  },
  {
    fault: "new jobs wait for a workspace of others as long as they may",
    file: limited,
    text: "{ isShared: true, millis: sharedWaitMillis }",
    instead: "{ isShared: false, millis: undefined }",
    tests: lockedRows
  },
  {
    fault: "whoever waits for a workspace takes a session of its own for that",
    file: limited,
    text: "locks: ({ row }) => [row.workspace_id],",
    instead: "locks: ({ row }) => [row.id],",
    tests: lockedRows
  },
  {
    fault: "a renewal waits for leases that are locked",
    file: leases,
    text: "FOR UPDATE SKIP LOCKED",
    instead: "FOR UPDATE",
    tests: lockedRows
  },
  {
    fault: "a lease that is locked is taken for renewed",
    file: leases,
    text: "SELECT lease.job_id, FALSE FROM lease",
    instead: "SELECT lease.job_id, TRUE FROM lease",
    tests: lockedRows
  },
  {
    fault: "a busy lease is trusted as if it were renewed",
    file: core("worker/Leases.ts"),
    text: "if (extended.has(jobId)) entry",
    instead: "if (extended.has(jobId) || busy.has(jobId)) entry",
    tests: ["packages/core/test/worker/BusyLeases.test.ts"]
  },
  {
    fault: "a busy lease is lost",
    file: core("worker/Leases.ts"),
    text: 'else if (!busy.has(jobId)) yield* lose(entry, "taken")',
    instead: 'else yield* lose(entry, "taken")',
    tests: ["packages/core/test/worker/BusyLeases.test.ts"]
  },
  {
    fault: "each reader of the metrics asks the store",
    file: core("services/SharedAnswer.ts"),
    text: "now - at < nanos",
    instead: "now - at < 0n",
    tests: ["packages/core/test/metrics/Gauges.test.ts"]
  },
  {
    fault: "the store is asked again while it has not answered",
    file: core("services/SharedAnswer.ts"),
    text: "fiber.pollUnsafe() === undefined || now",
    instead: "now",
    tests: ["packages/core/test/metrics/Gauges.test.ts"]
  },
  {
    fault: "the reader of the metrics who asked the store takes the question along",
    file: core("services/SharedAnswer.ts"),
    text: "Effect.forkDetach(question)",
    instead: "Effect.forkChild(question)",
    tests: ["packages/core/test/metrics/Gauges.test.ts"]
  },
  {
    fault: "leases are renewed on the sessions of everything else",
    file: sql("SqlWorkQueue.ts"),
    text: "reserved?.renewals ?? sql",
    instead: "reserved === undefined ? sql : sql",
    tests: lockedRows
  },
  {
    fault: "attempts end on the sessions of everything else",
    file: onPostgres("Commits.ts"),
    text: "  if (reserved === undefined) return write",
    instead: "  if (reserved === undefined || endsAttempt.length > 0) return write",
    tests: lockedRows
  },
  {
    fault: "a sweep ends after its first step, whatever is left",
    file: sweeping,
    text: "count === stepMax",
    instead: "count > stepMax",
    tests: sweeps
  },
  {
    fault: "nothing is swept any more after a step has failed",
    file: sweeping,
    text: "stay for now`, cause), interval)",
    instead: "stay for now`, cause), Duration.infinity)",
    tests: sweeps
  },
  {
    fault: "the sweep waits for keys that are used again, and deletes them",
    file: keys,
    text: `WHERE at <= \${oldest} AND (workspace_id, key) IN (
      SELECT workspace_id, key FROM verbatim_idempotency_keys
      WHERE at <= \${oldest} ORDER BY at LIMIT \${sweepMax} \${unlocked})`,
    instead: `WHERE (workspace_id, key) IN (
      SELECT workspace_id, key FROM verbatim_idempotency_keys
      WHERE at <= \${oldest} ORDER BY at LIMIT \${sweepMax})`,
    tests: idempotencyKeys
  },
  {
    fault: "a key that stands is replaced by the next request",
    file: inserts,
    text: `WHERE \${sql.literal(hasLapsed)}`,
    instead: `WHERE \${sql.literal(hasLapsed)} OR TRUE`,
    tests: jobStore
  },
  {
    fault: "requests with keys wait for what another process writes under one of them",
    file: inserts,
    text: 'waiting === "shared" ? sharedWaitMillis : waiting',
    instead: 'waiting === "shared" ? undefined : waiting',
    tests: idempotencyKeys
  },
  {
    fault: "those who wait for locks take all sessions",
    file: gathered,
    text: "withPlace(\n      waiters,",
    instead: "withPlace(\n      Semaphore.makeUnsafe(1),",
    tests: waits
  },
  {
    fault: "each caller behind a lock has its time from when its turn comes",
    file: gathered,
    text: "inTurn(subjects(question), together(question))",
    instead: "inTurn(subjects(question), withWaits(waitMax)(together(question)))",
    tests: waits
  },
  {
    fault: "a session waits for no disk where the database says so",
    file: "packages/adapters/src/postgres/Durability.ts",
    text: "ELSE 'on' END, FALSE)",
    instead: "ELSE current_setting('synchronous_commit') END, FALSE)",
    tests: [postgresTest("Durability")]
  },
  {
    fault: "a session waits for less than the database asks for",
    file: "packages/adapters/src/postgres/Durability.ts",
    text: "THEN 'remote_apply' ELSE",
    instead: "THEN 'on' ELSE",
    tests: [postgresTest("Durability")]
  },
  {
    fault: "large transcripts are read together",
    file: onPostgres("Transcripts.ts"),
    text: `AND ordinal = \${firstPiece} AND octet_length(content) <= \${bytesTogetherMax}`,
    instead: `AND \${bytesTogetherMax} > 0 ORDER BY ordinal`,
    tests: [postgresTest("LargeTranscripts")]
  },
  {
    fault: "what a transaction has not committed is told outside of it",
    file: sql("row/RowStatements.ts"),
    text: "makeOf(key, undefined)",
    instead: "makeOf(key, readEdition?.())",
    tests: lookups
  },
  {
    fault: "a transaction is told what was there before it wrote",
    file: sql("row/RowStatements.ts"),
    text: "if (transaction !== undefined) {",
    instead: "if (transaction !== undefined && readEdition === undefined) {",
    tests: lookups
  },
  {
    fault: "a row is taken for the same after a commit",
    file: sql("row/RowStatements.ts"),
    text: "found?.edition === edition ?",
    instead: "found?.edition !== undefined ?",
    tests: lookups
  }
]
