/** What commands read page by page. */
import { Effect, Option, Stream } from "effect"

/** Reads all rows: a page begins behind the last row of the one before, while pages are full. */
export const streamRows = <Row, Place, E, R>(
  read: (last: Place | null) => Effect.Effect<ReadonlyArray<Row>, E, R>,
  { limit, placeOf }: { readonly limit: number; readonly placeOf: (row: NoInfer<Row>) => Place }
): Stream.Stream<Row, E, R> =>
  Stream.paginate(null as Place | null, (place) =>
    Effect.map(read(place), (page) => {
      const last = page.length < limit ? undefined : page.at(-1)
      return [page, Option.map(Option.fromUndefinedOr(last), placeOf)] as const
    })
  )
