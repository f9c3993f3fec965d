/**
 * Every lease that a queue gave out, noted by the database itself: a process that is killed in the
 * middle of a claim tells nobody what it leased, and none of its leases may be taken for a delay.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A lease, in the order in which they were given. */
export interface LeaseNote {
  readonly jobId: string
  readonly token: string
  readonly kind: string
  /** Milliseconds since the epoch, by the store's time. */
  readonly dueAt: number
  /** Milliseconds since the epoch, by the clock of the machine. */
  readonly at: number
}

const table = (sql: SqlClient.SqlClient) => sql`
  CREATE TABLE lease_notes (job_id TEXT NOT NULL, token TEXT NOT NULL, kind TEXT NOT NULL,
    due_at BIGINT NOT NULL, at BIGINT NOT NULL)`

const isNew = "NEW.token IS NOT NULL AND NEW.token IS DISTINCT FROM OLD.token"

const onSqlite = (sql: SqlClient.SqlClient) => sql`
  CREATE TRIGGER note_lease AFTER UPDATE OF token ON verbatim_work
  WHEN ${sql.literal(isNew)} BEGIN
    INSERT INTO lease_notes VALUES (NEW.job_id, NEW.token, NEW.kind, NEW.due_at,
      CAST(unixepoch('subsec') * 1000 AS INTEGER));
  END`

const onPostgres = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`
    CREATE FUNCTION note_lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO lease_notes VALUES (NEW.job_id, NEW.token, NEW.kind, NEW.due_at,
        EXTRACT(EPOCH FROM clock_timestamp()) * 1000);
      RETURN NULL;
    END $$`
  yield* sql`
    CREATE TRIGGER note_lease AFTER UPDATE OF token ON verbatim_work FOR EACH ROW
    WHEN (${sql.literal(isNew)}) EXECUTE FUNCTION note_lease()`
})

/** Lets the database note every lease from now on. The tables must be there. */
export const noteLeases = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* table(sql)
  yield* sql.onDialectOrElse({ sqlite: () => onSqlite(sql), orElse: () => onPostgres(sql) })
})

/** Reads all notes. */
export const leaseNotes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<LeaseNote>`SELECT job_id AS ${sql("jobId")}, token, kind,
    due_at AS ${sql("dueAt")}, at FROM lease_notes ORDER BY at`
})
