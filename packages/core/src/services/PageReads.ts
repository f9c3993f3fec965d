/** Reads rows page by page: one row more than a page shows tells whether another page follows. */
import { Effect } from "effect"

/** A page of rows. */
export interface RowPage<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The last of them, behind which the next page begins; undefined where none follows. */
  readonly last: Row | undefined
}

/** Reads a page of at most `limit` rows; `read` returns up to as many as it is asked for. */
export const readPage = <Row, E, R>(
  limit: number,
  read: (limit: number) => Effect.Effect<ReadonlyArray<Row>, E, R>
): Effect.Effect<RowPage<Row>, E, R> =>
  Effect.map(read(limit + 1), (found) => ({
    rows: found.slice(0, limit),
    last: found.length > limit ? found[limit - 1] : undefined
  }))
