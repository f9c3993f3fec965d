/** The metrics of core, ready to be counted. */
import { coreTable } from "./CoreTable.ts"
import { makeRecorders, type Recorders } from "./Recorders.ts"

/** What core counts. */
export const coreMetrics: Recorders<typeof coreTable> = makeRecorders(coreTable)
