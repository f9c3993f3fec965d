/**
 * The migrations, and how they run while the previous version still uses the database
 * (docs/decisions/0014). A new one is a module in `migrations/` with a list of steps:
 *
 *     export const steps: ReadonlyArray<Step> = [statements(addColumns), index("name", on)]
 *
 * Each step of `statements` is a transaction; an index on a table that may be large is a step of
 * its own, and so are rows that `batches` fill. A migration that is released never changes.
 */
import { type Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Migrator from "./Migrator.ts"
import { type Migration, type StatementsStep, statements } from "./migration/Migration.ts"
import type { MigrationError } from "./migration/MigrationError.ts"
import * as stores from "./migrations/0001_stores.ts"
import * as designations from "./migrations/0002_designations.ts"
import * as webhookSecrets from "./migrations/0003_webhook_secrets.ts"
import * as jobLists from "./migrations/0004_job_lists.ts"
import * as workers from "./migrations/0005_workers.ts"
import * as progress from "./migrations/0006_progress.ts"
import * as queue from "./migrations/0007_queue.ts"
import * as formats from "./migrations/0008_formats.ts"
import * as presetKeys from "./migrations/0009_preset_keys.ts"
import * as mediaMark from "./migrations/0010_media_mark.ts"
import * as keptBodies from "./migrations/0011_kept_bodies.ts"
import * as tenants from "./migrations/0012_tenants.ts"
import * as limits from "./migrations/0013_limits.ts"
import * as usage from "./migrations/0014_usage.ts"
import * as retention from "./migrations/0015_retention.ts"
import * as presetFormats from "./migrations/0016_preset_formats.ts"
import * as presetLabels from "./migrations/0017_preset_labels.ts"
import * as corrections from "./migrations/0018_corrections.ts"
import * as callbackIds from "./migrations/0019_callback_ids.ts"
import * as feed from "./migrations/0020_feed.ts"
import * as keywords from "./migrations/0021_keywords.ts"
import * as peaks from "./migrations/0022_peaks.ts"
import * as correctionsAside from "./migrations/0023_corrections_aside.ts"
import * as deletions from "./migrations/0025_deletions.ts"
import * as mediaOwner from "./migrations/0026_media_owner.ts"
import * as presetWins from "./migrations/0027_preset_wins.ts"
import type { Statements } from "./Statements.ts"

export * from "./migration/Migration.ts"
export { MigrationError } from "./migration/MigrationError.ts"

/** A migration whose statements all run in one transaction. */
const inOneStep = (id: number, name: string, migration: StatementsStep["run"]): Migration => ({
  id,
  name,
  steps: [statements(migration)]
})

const migrations: ReadonlyArray<Migration> = [
  inOneStep(1, "stores", stores.migration),
  inOneStep(2, "designations", designations.migration),
  inOneStep(3, "webhook_secrets", webhookSecrets.migration),
  inOneStep(4, "job_lists", jobLists.migration),
  inOneStep(5, "workers", workers.migration),
  inOneStep(6, "progress", progress.migration),
  { id: 7, name: "queue", steps: queue.steps },
  { id: 8, name: "formats", steps: formats.steps },
  inOneStep(9, "preset_keys", presetKeys.migration),
  inOneStep(10, "media_mark", mediaMark.migration),
  inOneStep(11, "kept_bodies", keptBodies.migration),
  { id: 12, name: "tenants", steps: tenants.steps },
  { id: 13, name: "limits", steps: limits.steps },
  { id: 14, name: "usage", steps: usage.steps },
  { id: 15, name: "retention", steps: retention.steps },
  inOneStep(16, "preset_formats", presetFormats.migration),
  { id: 17, name: "preset_labels", steps: presetLabels.steps },
  { id: 18, name: "corrections", steps: corrections.steps },
  { id: 19, name: "callback_ids", steps: callbackIds.steps },
  { id: 20, name: "feed", steps: feed.steps },
  inOneStep(21, "keywords", keywords.migration),
  inOneStep(22, "peaks", peaks.migration),
  { id: 23, name: "corrections_aside", steps: correctionsAside.steps },
  { id: 25, name: "deletions", steps: deletions.steps },
  { id: 26, name: "media_owner", steps: mediaOwner.steps },
  inOneStep(27, "preset_wins", presetWins.migration)
]

/** Runs the migrations that are missing, and returns which those were. */
export const run: Effect.Effect<
  Migrator.Ended,
  MigrationError | SqlError.SqlError,
  SqlClient.SqlClient | Statements
> = Migrator.run(migrations)

/** The migrations that are missing, by their names. Nothing is written. */
export const pending: Effect.Effect<
  ReadonlyArray<string>,
  MigrationError | SqlError.SqlError,
  SqlClient.SqlClient | Statements
> = Migrator.pending(migrations)

/** The same for the target of a copy, which everybody else refuses. */
export const runMarked: typeof run = Migrator.run(migrations, { isForCopy: true })

/** How a database stands to this code. */
export const standing: Effect.Effect<
  Migrator.Standing,
  SqlError.SqlError,
  SqlClient.SqlClient | Statements
> = Migrator.standing(migrations)

/** A database with the current schema. */
export const layer: Layer.Layer<
  never,
  MigrationError | SqlError.SqlError,
  SqlClient.SqlClient | Statements
> = Layer.effectDiscard(run)
