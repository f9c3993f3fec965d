/** Tables of metrics, and recorders for them. */

export { coreMetrics, coreTable } from "./CoreTable.ts"
export {
  combineLabels,
  type LabelsOf,
  longSeconds,
  type MetricRow,
  type MetricTable,
  seriesMax,
  shortSeconds,
  typeOf,
  unitOf
} from "./MetricTable.ts"
export {
  makeRecorders,
  otherValue,
  type Recorder,
  type Recorders
} from "./Recorders.ts"
