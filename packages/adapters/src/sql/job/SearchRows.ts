/**
 * Stores the searchable form of transcripts: one row per transcript, deleted together with the
 * transcript. The database indexes the words in each row.
 */
import type { JobId } from "@verbatim/core/attempt"
import { makePartReader, type Overlay } from "@verbatim/core/correction"
import type { Commit } from "@verbatim/core/ports"
import {
  findMoments,
  makeSearchText,
  type SearchText,
  toSearchText
} from "@verbatim/core/rendering"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Row } from "../row/Row.ts"
import type { RowReads } from "../row/RowStatements.ts"
import { firstChunk, makePart } from "./StoredTexts.ts"

type Sql = SqlClient.SqlClient

/**
 * The word that marks all of a workspace's transcripts, so that an index search finds no other
 * transcripts. No spoken word contains the characters of this word.
 */
const ownerWord = (workspaceId: WorkspaceId): string => `@${workspaceId}`

/** Returns all words that the index must find for a search in one workspace or in all of them. */
export const indexedWords = (
  workspaceId: WorkspaceId | null,
  words: ReadonlyArray<string>
): ReadonlyArray<string> => [...(workspaceId === null ? [] : [ownerWord(workspaceId)]), ...words]

const columnsOf = (workspaceId: WorkspaceId, { passages, words }: SearchText) => ({
  words: `${ownerWord(workspaceId)} ${words}`,
  passages
})

/** Returns the columns for a commit's transcript, or no columns if the commit has no transcript. */
export const searchColumns = ({ next, transcript }: Commit) =>
  Option.match(transcript, {
    onNone: () => ({}),
    onSome: (whole) => columnsOf(next.workspaceId, toSearchText(whole))
  })

/** Writes the row for a commit's transcript, in the caller's transaction. */
export const write = (sql: Sql, commit: Commit) =>
  Option.isNone(commit.transcript)
    ? Effect.void
    : sql`INSERT INTO verbatim_search_texts ${sql.insert({
        job_id: commit.next.id,
        ordinal: firstChunk,
        ...searchColumns(commit)
      })} ON CONFLICT (job_id) DO UPDATE SET words = excluded.words, passages = excluded.passages`

/**
 * Creates a function that returns the searchable form of a transcript with corrections. The
 * transcript never changes, so it need not be read in the transaction that writes the corrections.
 */
export const makeCorrectedText = (sql: Sql) => {
  const readPart = makePart(sql)
  return Effect.fnUntraced(function* (id: JobId, overlay: Overlay) {
    const readCorrected = makePartReader(overlay, (before) => readPart(id, before))
    const text = makeSearchText()
    let part = yield* readCorrected(Option.none())
    while (Option.isSome(part) && text.add(part.value)) {
      if (Option.isNone(part.value.next)) break
      part = yield* readCorrected(part)
    }
    return text.build()
  })
}

/** Replaces a corrected transcript's row, in the caller's transaction. */
export const replace = (sql: Sql, id: JobId, { passages, words }: SearchText) =>
  sql`UPDATE verbatim_search_texts SET passages = ${passages}, words = (
      SELECT '@' || workspace_id FROM verbatim_jobs WHERE id = job_id) || ${` ${words}`}
    WHERE job_id = ${id}`

/** Maximum number of transcripts in one query for passages. */
const togetherMax = 16

/** Creates a function that finds the passages in a transcript that match a search. */
export const makeMoments = (sql: Sql, { makeRead }: Pick<RowReads, "makeRead">) => {
  const readPassages = makeRead(sql, {
    name: "passages",
    column: "job_id",
    field: "job_id",
    sizeMax: togetherMax,
    select: (isOne) => sql<Row>`SELECT job_id, passages FROM verbatim_search_texts WHERE ${isOne}`
  })
  return function* (id: JobId, words: ReadonlyArray<string>) {
    const [row] = yield* readPassages(id)
    return row === undefined ? [] : findMoments(String(row.passages), words)
  }
}

/** Returns a condition on `jobs` that compares the words of each job, without an index. */
export const hasWords = (sql: Sql, words: ReadonlyArray<string>): Statement.Fragment => {
  const conditions = words.map((word) => sql`' ' || words || ' ' LIKE ${`% ${word} %`}`)
  // The condition is a scalar subquery, which the planner cannot turn into a scan of all
  // transcripts.
  return sql`(SELECT ${sql.and(conditions)} FROM verbatim_search_texts
    WHERE job_id = verbatim_jobs.id)`
}
