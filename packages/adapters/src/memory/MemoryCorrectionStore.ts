/**
 * Implements `CorrectionStore` in memory. Corrections are stored next to the transcript, in the
 * job's row.
 */
import type { JobId } from "@verbatim/core/attempt"
import {
  applyChange,
  type CorrectionVersion,
  noCorrections,
  type WholeVersion
} from "@verbatim/core/correction"
import {
  type CorrectionCommit,
  type CorrectionPage,
  CorrectionStore,
  CorrectionStoreError
} from "@verbatim/core/ports"
import { Effect, Layer, Option } from "effect"
import { MemoryDatabase, type Tables } from "./MemoryDatabase.ts"

const refusal = (_tag: "Absent" | "Superseded") =>
  new CorrectionStoreError({ operation: "commit", reason: { _tag } })

const rowOf = ({ jobs }: Tables, id: JobId) => jobs.get(id)?.corrections

const versionsOf = (tables: Tables, id: JobId): ReadonlyArray<WholeVersion> =>
  rowOf(tables, id)?.versions ?? []

const commit = (tables: Tables, { next, version }: CorrectionCommit) =>
  Effect.suspend(() => {
    const row = tables.jobs.get(next.id)
    if (row === undefined || Option.isNone(row.transcript)) return refusal("Absent")
    const versions = row.corrections?.versions ?? []
    if (versions[version.version - 1]?.id === version.id) return Effect.void
    if (versions.length !== version.version - 1) return refusal("Superseded")
    const corrections = { current: next, versions: [...versions, version] }
    tables.jobs.set(next.id, { ...row, corrections })
    return Effect.void
  })

const withoutSegments = ({ segments: _, ...version }: WholeVersion): CorrectionVersion => version

const pageOf = (
  versions: ReadonlyArray<WholeVersion>,
  { before, limit }: CorrectionPage
): ReadonlyArray<CorrectionVersion> =>
  versions
    .filter(({ version }) => Option.isNone(before) || version < before.value)
    .toReversed()
    .slice(0, limit)
    .map(withoutSegments)

/** Provides a `CorrectionStore` in this process's memory. */
export const layer: Layer.Layer<CorrectionStore, never, MemoryDatabase> = Layer.effect(
  CorrectionStore,
  Effect.map(MemoryDatabase, (tables) =>
    CorrectionStore.of({
      current: (id: JobId) => Effect.sync(() => Option.fromUndefinedOr(rowOf(tables, id)?.current)),
      commit: (change: CorrectionCommit) => commit(tables, change),
      versions: (id, page) => Effect.sync(() => pageOf(versionsOf(tables, id), page)),
      version: (id, version) =>
        Effect.sync(() => Option.fromUndefinedOr(versionsOf(tables, id)[version - 1])),
      overlayAt: (id, version) =>
        Effect.sync(() =>
          versionsOf(tables, id).slice(0, version).reduce(applyChange, noCorrections)
        ),
      requested: (id, key) =>
        Effect.sync(() =>
          Option.map(
            Option.fromUndefinedOr(
              versionsOf(tables, id).findLast(({ request }) => request?.key === key)
            ),
            withoutSegments
          )
        )
    })
  )
)
