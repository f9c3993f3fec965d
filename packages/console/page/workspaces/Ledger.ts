/** The ledger of a workspace, page by page as it is wanted, the newest line first. */
import type { components, Options } from "@verbatim/client"
import { operatorApi, sentenceOf } from "../Api.ts"
import { makeSource, type Source } from "../ui/Loaded.ts"
import { notify } from "../ui/Toasts.tsx"

/** A charge or a credit. */
export type LedgerLine = components["schemas"]["LedgerLine"]

/** As much of it as was read. */
interface Lines {
  readonly lines: ReadonlyArray<LedgerLine>
  /** Where there are more; null where there are none. */
  readonly next: string | null
}

/** The ledger, and how to get more of it. */
export interface LedgerSource extends Source<Lines> {
  readonly more: () => Promise<void>
}

/** Lines fetched at a time. */
const pageMax = 50

/** Makes the source; it begins anew where it is asked for again. */
export const makeLedger = (id: string): LedgerSource => {
  const read = async (
    options: Pick<Options<"workspaces.ledger">, "cursor" | "signal">
  ): Promise<Lines> => {
    const { data, next_cursor } = await operatorApi.workspaces.ledger(id, {
      limit: pageMax,
      ...options
    })
    return { lines: data, next: next_cursor }
  }
  const source = makeSource((signal) => read({ signal }))
  let isFetching = false

  const more = async (): Promise<void> => {
    const { value } = source.state.peek()
    if (isFetching || value === undefined || value.next === null) return
    isFetching = true
    try {
      const { lines, next } = await read({ cursor: value.next })
      // It may have been read anew meanwhile: then these lines do not follow.
      if (source.state.peek().value === value) {
        source.put({ lines: [...value.lines, ...lines], next })
      }
    } catch (cause) {
      notify(sentenceOf(cause), { isFault: true })
    }
    isFetching = false
  }

  return { ...source, more }
}
