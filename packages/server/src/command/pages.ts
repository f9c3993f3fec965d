/** What commands read page by page, and the form in which the API has it. */
import { Effect, Option, Stream } from "effect"

/** All rows: each page begins behind the last row of the page before, while pages are full. */
export const everyRow = <Row, Place, E, R>(
  read: (last: Place | null) => Effect.Effect<ReadonlyArray<Row>, E, R>,
  { limit, placeOf }: { readonly limit: number; readonly placeOf: (row: NoInfer<Row>) => Place }
): Stream.Stream<Row, E, R> =>
  Stream.paginate(null as Place | null, (place) =>
    Effect.map(read(place), (page) => {
      const last = page.length < limit ? undefined : page.at(-1)
      return [page, Option.map(Option.fromUndefinedOr(last), placeOf)] as const
    })
  )

/** Read where a row is shown: other commands start earlier without the API. */
export const wireForms = Effect.promise(() => import("@verbatim/http"))
