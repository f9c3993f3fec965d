/**
 * Statements that copy all rows of a finished job as its program wrote them, as if each copy had
 * ended long ago.
 */

/** The instant at which our copies ended, which is earlier than any retention rule allows. */
const endedAt = Date.parse("2025-01-02T03:04:05.678Z")

/** The ids are version 7, like job ids, and older than any new one. */
const oldId = `'01900000-' || lpad(to_hex(n >> 16), 4, '0') || '-7000-8000-00000000'
  || lpad(to_hex(n & 65535), 4, '0')`

/** Copies one of our jobs for each number `n` in a series. */
export const copyJob = (job: string, series: string): ReadonlyArray<string> => [
  `INSERT INTO verbatim_jobs (id, workspace_id, revision, accepted_at, is_transcription_ended,
    status,
      format, ended_at, holding, state)
    SELECT ${oldId}, workspace_id, revision, ${endedAt} - 60000, is_transcription_ended, status,
      format, ${endedAt} + n, holding,
      regexp_replace(replace(state, '${job}', ${oldId}), '"endedAt":[0-9]+',
        '"endedAt":' || (${endedAt} + n), 'g')
    FROM verbatim_jobs, ${series} WHERE id = '${job}'`,
  `INSERT INTO verbatim_job_history (job_id, revision, at, token, events)
    SELECT ${oldId}, revision, at, token, replace(events, '${job}', ${oldId})
    FROM verbatim_job_history, ${series} WHERE job_id = '${job}'`,
  `INSERT INTO verbatim_transcript_chunks (job_id, ordinal, content)
    SELECT ${oldId}, ordinal, content FROM verbatim_transcript_chunks, ${series}
      WHERE job_id = '${job}'`,
  `INSERT INTO verbatim_ledger
      (workspace_id, job_id, millis, at, recognised, reused, engine_millis)
    SELECT workspace_id, ${oldId}, millis, at, recognised, reused, engine_millis
      FROM verbatim_ledger, ${series}
      WHERE job_id = '${job}'`
]

/** Copies a peer's job. */
export const copyPeerJob = (job: string, series: string): ReadonlyArray<string> => [
  `INSERT INTO jobs
    SELECT (${oldId})::uuid, workspace_id, accepted_at, callback_url, callback_id, status,
      webhook_status, http_status, delivered_at FROM jobs, ${series} WHERE id = '${job}'`,
  `INSERT INTO transcripts
    SELECT (${oldId})::uuid, content FROM transcripts, ${series} WHERE job_id = '${job}'`,
  `INSERT INTO ledger (workspace_id, job_id, millis, at)
    SELECT workspace_id, (${oldId})::uuid, millis, at FROM ledger, ${series}
    WHERE job_id = '${job}'`
]
