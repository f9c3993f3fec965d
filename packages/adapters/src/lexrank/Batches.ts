/** Long work in short turns, so that a server can answer in between. */
import { Effect } from "effect"

/** Takes every item, in order; after a batch of them others have their turn. */
export const inBatches = Effect.fnUntraced(function* <A>(
  items: ReadonlyArray<A>,
  work: { readonly batchLength: number; readonly each: (item: A, index: number) => void }
) {
  const { batchLength, each } = work
  for (let from = 0; from < items.length; from += batchLength) {
    const batch = items.slice(from, from + batchLength)
    batch.forEach((item, index) => {
      each(item, from + index)
    })
    yield* Effect.yieldNow
  }
})
