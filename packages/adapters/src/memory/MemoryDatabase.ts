/**
 * The tables shared by the in-memory stores, so that one commit can change several tables together.
 *
 * Rows are replaced, never modified, so values that were read stay unchanged. A store must not
 * `yield*` between a read and the write that depends on it, so that no other fiber runs in between.
 */

import type { JobId, Work } from "@verbatim/core/attempt"
import type { Corrected, WholeVersion } from "@verbatim/core/correction"
import type { KeptBody } from "@verbatim/core/delivery"
import type { IdempotencyRecord, Job, JobEnd, LedgerLine } from "@verbatim/core/job"
import type { Account, DatabaseIdentity, HistoryEntry, LeaseToken } from "@verbatim/core/ports"
import type {
  Designation,
  LabelMove,
  Preset,
  PresetChangeId,
  PresetId,
  PresetVersion,
  PresetVersionId,
  ProtectedLabel
} from "@verbatim/core/preset"
import type { Peaks, Piece, PieceWork, Transcript } from "@verbatim/core/transcription"
import type {
  ApiKey,
  KeyHash,
  OperatorKey,
  WebhookSecret,
  WebhookSecretId,
  WorkspaceId
} from "@verbatim/core/workspace"
import { Context, DateTime, Effect, Layer, Option, Random } from "effect"

/** A transcript's corrections, with all versions. */
interface CorrectionRow {
  readonly current: Corrected
  readonly versions: ReadonlyArray<WholeVersion>
}

/** A job, with all data that belongs to no other job. */
export interface JobRow {
  readonly job: Job
  /** How the job ended, recorded with the last commit or afterwards. */
  readonly end: JobEnd
  readonly history: ReadonlyArray<HistoryEntry>
  readonly transcript: Option.Option<Transcript>
  readonly peaks?: Peaks | undefined
  /** Recognised pieces, in the order of their indexes. */
  readonly pieces: ReadonlyArray<Piece>
  readonly keptBody: Option.Option<KeptBody>
  /** The corrections of the job's transcript, or undefined until the first correction. */
  readonly corrections?: CorrectionRow | undefined
}

/**
 * A job's pending work. Jobs without pending work have no row, so claims never consider such jobs.
 */
export interface WorkRow {
  readonly jobId: JobId
  readonly work: Work
  /**
   * The lease, or null while the work is unclaimed. An expired lease remains until the work is
   * claimed again.
   */
  readonly lease: {
    readonly token: LeaseToken
    readonly until: DateTime.Utc
    /** The progress that the last renewal reported. */
    readonly progress?: number | undefined
  } | null
}

/** Whether work can be claimed. A lease is already invalid at the exact time of its end. */
export const isFree = ({ lease }: WorkRow, now: DateTime.Utc): boolean =>
  lease === null || DateTime.isLessThanOrEqualTo(lease.until, now)

/** Whether work is due. */
export const isDue = ({ work }: WorkRow, now: DateTime.Utc): boolean =>
  DateTime.isLessThanOrEqualTo(work.dueAt, now)

/** An entry of a workspace's ledger. */
export interface LedgerRow extends LedgerLine {
  /** The charged job's work; missing for a credit. */
  readonly work?: PieceWork
  readonly workspaceId: WorkspaceId
}

/** The id of a ledger entry's job or credit. A credit's id is preceded by the workspace's id. */
type LedgerKey = `credit:${string} ${string}` | `job:${string}`

/** The version created by the first request with an idempotency key. */
interface PresetKeyRow {
  readonly fingerprint: string
  readonly versionId: PresetVersionId
  readonly at: DateTime.Utc
}

/** A commit to a job. Ordinals increase in commit order. */
export interface FeedRow {
  readonly ordinal: number
  readonly jobId: JobId
  readonly revision: number
}

/** The deletion of a job. Deletions and commits share one sequence of ordinals. */
export interface DeletionRow extends FeedRow {
  readonly workspaceId: WorkspaceId
  readonly at: DateTime.Utc
}

interface Deletions {
  /** The list of deletions grows in place; old rows are dropped. */
  readonly rows: Array<DeletionRow>
  /** The ordinal of the last dropped row. */
  forgotten: number
}

/** The lock that lets only one process at a time delete expired jobs. */
interface RetentionLock {
  /** The holder of the lock, or null during the pause between two holders. */
  readonly holder: string | null
  readonly until: DateTime.Utc
}

/** The ids of a database and of its media store. */
interface MediaRow {
  readonly identity: string
  readonly createdAt: DateTime.Utc
  marker: string | undefined
  /** Whether the database is a copy that has not yet adopted a media store. */
  isCopied: boolean
}

/** All tables, keyed by primary key. A `Map` keeps its keys in insertion order. */
export interface Tables {
  readonly accounts: Map<WorkspaceId, Account>
  readonly keys: Map<KeyHash, ApiKey>
  readonly operatorKeys: Map<KeyHash, OperatorKey>
  readonly secrets: Map<WebhookSecretId, WebhookSecret>
  /** Ledger entries, keyed by job or credit, so that nothing is booked twice. */
  readonly ledger: Map<LedgerKey, LedgerRow>
  readonly presets: Map<PresetId, Preset>
  /** Preset ids, keyed by `<workspace id>/<slug>`. */
  readonly slugs: Map<string, PresetId>
  /** The lists in this map grow in place; each reader gets a copy of the part that it needs. */
  readonly versions: Map<PresetId, Array<PresetVersion>>
  readonly designations: Map<PresetId, Array<Designation>>
  readonly labelMoves: Map<PresetId, Array<LabelMove>>
  /** Preset versions, keyed by their own ids. */
  readonly drafted: Map<PresetVersionId, PresetVersion>
  /** The ids of all preset changes so far. */
  readonly changes: Set<PresetChangeId>
  /** Records of preset idempotency keys, keyed by `<workspace id>/<key>`. */
  readonly presetKeys: Map<string, PresetKeyRow>
  readonly protectedLabels: Map<WorkspaceId, ReadonlyArray<ProtectedLabel>>
  readonly jobs: Map<JobId, JobRow>
  /** The feed's list of commits grows in place. */
  feed: Array<FeedRow>
  readonly deletions: Deletions
  readonly work: Map<JobId, WorkRow>
  /** Records of job idempotency keys, keyed by `<workspace id>/<key>`. */
  readonly idempotency: Map<string, IdempotencyRecord>
  /** The marker of this database's media store. */
  readonly media: MediaRow
  /** Has at most one entry: the process that deletes expired jobs, and when the lock expires. */
  readonly retentionLock: Map<"lock", RetentionLock>
}

/** The set of tables that all in-memory stores share. */
export class MemoryDatabase extends Context.Service<MemoryDatabase, Tables>()(
  "@verbatim/adapters/memory/MemoryDatabase"
) {
  static readonly layer: Layer.Layer<MemoryDatabase> = Layer.effect(
    MemoryDatabase,
    Effect.gen(function* () {
      const identity = (yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)
      return makeTables({ identity, createdAt: yield* DateTime.now })
    })
  )
}

const makeTables = ({ createdAt, identity }: Pick<MediaRow, "createdAt" | "identity">): Tables => ({
  accounts: new Map(),
  keys: new Map(),
  operatorKeys: new Map(),
  secrets: new Map(),
  ledger: new Map(),
  presets: new Map(),
  slugs: new Map(),
  versions: new Map(),
  designations: new Map(),
  labelMoves: new Map(),
  drafted: new Map(),
  changes: new Set<PresetChangeId>(),
  presetKeys: new Map(),
  protectedLabels: new Map(),
  jobs: new Map(),
  feed: [],
  deletions: { rows: [], forgotten: 0 },
  work: new Map(),
  idempotency: new Map(),
  media: { identity, createdAt, marker: undefined, isCopied: false },
  retentionLock: new Map()
})

/** Reads the identities of the database and of its media store. */
export const readMark = ({ media }: Tables): Effect.Effect<DatabaseIdentity> =>
  Effect.sync(() => ({ ...media, marker: Option.fromUndefinedOr(media.marker) }))

/** Writes a media store's marker, and returns the current marker. */
export const adoptMedia = (
  { media }: Tables,
  { isReplacing, marker }: { readonly marker: string; readonly isReplacing: boolean }
) =>
  Effect.sync(() => {
    if (media.marker !== undefined && !isReplacing) return media.marker
    media.marker = marker
    media.isCopied = false
    return marker
  })

/** A ledger entry to add, without its ordinal. */
type LedgerEntry = Omit<LedgerRow, "ordinal">

const keyOf = ({ reason, workspaceId }: LedgerEntry): LedgerKey =>
  reason._tag === "Charge" ? `job:${reason.jobId}` : `credit:${workspaceId} ${reason.creditId}`

/** Adds an amount once per job or credit, in the ledger and in the balance. */
export const addEntry = (
  { accounts, ledger }: Pick<Tables, "accounts" | "ledger">,
  entry: LedgerEntry
): void => {
  const key = keyOf(entry)
  const { workspaceId } = entry
  // An empty charge is negated to -0. Adding zero makes it 0, as in a database.
  const millis = entry.millis + 0
  const account = accounts.get(workspaceId)
  if (account === undefined || ledger.has(key)) return
  // Ledger entries are never removed, so the size counts all entries so far.
  ledger.set(key, { ...entry, millis, ordinal: ledger.size + 1 })
  accounts.set(workspaceId, { ...account, balanceMillis: account.balanceMillis + millis })
}
