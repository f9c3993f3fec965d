/** Faults in what is told to those who listen. */
import { sharedSlots } from "./Files.ts"
import { core, type Mutant, memory, onPostgres, onSqlite, postgresTest, sql } from "./Mutant.ts"

const hub = core("services/FeedHub.ts")
const told = core("services/ToldEvents.ts")
const feedTests = [
  "packages/core/test/services/JobFeeds.test.ts",
  "packages/core/test/services/WorkspaceFeeds.test.ts"
]
const turnTests = ["packages/core/test/services/CatchUpTurns.test.ts"]
const wireTests = ["packages/http/test/transcription/LiveEvents.test.ts"]
const sqliteTests = ["packages/adapters/test/sqlite/SqliteDeletions.test.ts"]
const memoryTests = ["packages/adapters/test/memory/MemoryDeletions.test.ts"]
const contracts = ["packages/adapters/test/sqlite/SqliteStores.test.ts"]

export const feedMutants: ReadonlyArray<Mutant> = [
  {
    fault: "live: a listener of a feed skips what a channel has behind its place",
    file: hub,
    text: "entries: entries.filter((each) => isAfter(each.place, place)),",
    instead: "entries: entries.filter((each) => isAfter(each.place, place)).slice(1),",
    tests: feedTests
  },
  {
    fault: "live: a listener of a feed is told again what a channel has before its place",
    file: hub,
    text: "entries: entries.filter((each) => isAfter(each.place, place)),",
    instead: "entries: [...entries],",
    tests: feedTests
  },
  {
    fault: "live: a channel passes for whole that has lost its beginning",
    file: hub,
    text: "revision < from ? Option.none()",
    instead: "revision < 0 ? Option.none()",
    tests: feedTests
  },
  {
    fault: "live: the place of who listens from now on grows old when nobody listens",
    file: hub,
    text: "          if (feeds.size === 0) place = Option.none()\n",
    instead: "",
    tests: feedTests
  },
  {
    fault: "live: progress from before a deletion is told behind it",
    file: core("services/FeedNotices.ts"),
    text: "channel.progress !== progress && isAsFar(channel, place)",
    instead: "channel.progress !== progress",
    tests: feedTests
  },
  {
    fault: "live: listeners who read a history have no turns within their workspace",
    file: core("services/CatchUpTurns.ts"),
    text: "share: catchUpShare",
    instead: "share: catchUpMax",
    tests: turnTests
  },
  {
    fault: "live: a turn is never given back by a listener that fails or leaves",
    file: sharedSlots,
    text: "own.takeScoped(1)",
    instead:
      "Effect.tap(own.take(1), () => Effect.addFinalizer(({ _tag }) => " +
      '_tag === "Success" ? own.release(1) : Effect.void))',
    tests: turnTests
  },
  {
    fault: "live: a deletion that was heard is told again",
    file: told,
    text: "if (heardOf(notice, from) === Number.POSITIVE_INFINITY) break",
    instead: "if (heardOf(notice, from) === Number.NEGATIVE_INFINITY) break",
    tests: wireTests
  },
  {
    fault: "live: a deletion leaves no row in a file",
    file: onSqlite("DeletionSteps.ts"),
    text: "if (rows.length === 0) return rows",
    instead: "if (rows.length >= 0) return rows",
    tests: contracts
  },
  {
    fault: "live: deletions are forgotten in silence in a file",
    file: sql("job/DeletionRows.ts"),
    text: "if (rows.length > 0) {",
    instead: "if (rows.length < 0) {",
    tests: sqliteTests
  },
  {
    fault: "live: deletions are forgotten in silence on Postgres",
    file: sql("job/DeletionRows.ts"),
    text: "if (rows.length > 0) {",
    instead: "if (rows.length < 0) {",
    tests: [postgresTest("PostgresDeletions")]
  },
  {
    fault: "live: deletions are forgotten at once",
    file: sql("job/DeletionRows.ts"),
    text: "const keptMillis = Duration.toMillis(deletionKept)",
    instead: "const keptMillis = Duration.toMillis(deletionKept) * 0",
    tests: [postgresTest("PostgresDeletions")]
  },
  {
    fault: "live: a long transaction of a host puts a commit before the one that it comes after",
    file: onPostgres("CommitStatement.ts"),
    text: "AND last.revision = fenced.revision - 1",
    instead: "AND last.revision < 0",
    tests: [postgresTest("FeedOrder")]
  },
  {
    fault: "live: a feed goes beyond transactions that are open",
    file: onPostgres("FeedEnd.ts"),
    text: "pg_snapshot_xmin(",
    instead: "pg_snapshot_xmax(",
    tests: [postgresTest("FeedInterleavings")]
  },
  {
    fault: "live: deletions are forgotten in silence in memory",
    file: memory("MemoryChanges.ts"),
    text: "ordinal <= forgotten",
    instead: "ordinal < 0",
    tests: feedTests
  },
  {
    fault: "live: memory keeps every deletion while nobody listens",
    file: memory("MemoryChanges.ts"),
    text: "  forgetOld(tables, at)\n",
    instead: "",
    tests: memoryTests
  },
  {
    fault: "live: memory keeps the commits of jobs that are gone",
    file: memory("MemoryChanges.ts"),
    text: "  dropGone(tables)\n",
    instead: "",
    tests: memoryTests
  },
  {
    fault: "each listener asks for itself whether its key may still be used",
    file: "packages/http/src/serve/transcription/StillAllowed.ts",
    text: "question ??= shareAnswer(isRefused(request), interval)",
    instead: "question = shareAnswer(isRefused(request), interval)",
    tests: ["packages/http/test/transcription/StillAllowed.test.ts"]
  },
  {
    fault: "whoever has a revoked key goes on listening",
    file: "packages/http/src/serve/transcription/StillAllowed.ts",
    text: 'Effect.succeed(error._tag === "Unauthenticated")',
    instead: "Effect.succeed(error._tag.length === 0)",
    tests: ["packages/http/test/transcription/StillAllowed.test.ts"]
  },
  {
    fault: "a look-up that nobody answers is the last one of its key",
    file: "packages/http/src/serve/transcription/StillAllowed.ts",
    text: "      Effect.timeout(interval),\n",
    instead: "",
    tests: ["packages/http/test/transcription/StillAllowed.test.ts"]
  },
  {
    fault: "a failed look-up of a key ends what somebody hears",
    file: "packages/http/src/serve/transcription/StillAllowed.ts",
    text: 'Effect.succeed(error._tag === "Unauthenticated")',
    instead: "Effect.succeed(error._tag.length > 0)",
    tests: ["packages/http/test/transcription/StillAllowed.test.ts"]
  }
]
