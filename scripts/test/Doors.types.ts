/**
 * Each operation of the API and the methods of an opened Verbatim that do the same: this file
 * compiles while no operation, no parameter and no field is forgotten, and only then. What the
 * client of the API has of them is `packages/client/test/NamedCalls.ts`.
 */
import { corrections, jobs, others } from "./doors/JobRows.ts"
import { labels, presets, resolutions } from "./doors/PresetRows.ts"
import { type OperationId, type Row, same, type Without, without } from "./doors/Sameness.ts"

export const rows: Readonly<Record<OperationId, Row | Without>> = {
  ...presets,
  ...labels,
  ...resolutions,
  ...jobs,
  ...corrections,
  ...others
}

// @ts-expect-error an operation has no row
export const forgotten: typeof rows = { ...presets, ...labels, ...resolutions, ...jobs, ...others }

export const page = same("presets.designations", ["presets.designations"], {
  // @ts-expect-error the method takes no such parameter
  takes: { offset: "page" },
  // @ts-expect-error a field goes by another name, which is not told
  gives: { totalCount: "total", designatedAt: "at" }
})

export const spared = same("labels.get", ["presets.label"], {
  takes: {},
  // @ts-expect-error the method has the field
  gives: { movedAt: without("nobody asks for it") }
})
