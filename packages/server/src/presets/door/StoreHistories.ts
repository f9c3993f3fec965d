/**
 * What was, of the presets of a workspace in a database on this machine.
 */
import type { Presets } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { DateTime, Effect } from "effect"
import { readPages } from "./Pages.ts"
import type { PresetDoor } from "./PresetDoor.ts"
import { refuse } from "./StoreRefusals.ts"

type Methods = Pick<PresetDoor["Service"], "erase" | "moves" | "remove" | "versions">

interface Moved {
  readonly from: number | null
  readonly to: number | null
  readonly by: string
  readonly at: DateTime.Utc
}

const toMove = ({ at, by, from, to }: Moved) => ({ from, to, by, at: DateTime.formatIso(at) })

/** Makes the methods. */
export const makeHistories = (presets: Presets["Service"], principal: Principal): Methods => {
  const versions: Methods["versions"] = (slug) =>
    readPages((page) =>
      Effect.map(presets.versions({ principal, slug }, page), (found) =>
        found.versions.map(({ comment, createdAt, creatorId: by, erased, version }) => ({
          version,
          by,
          at: DateTime.formatIso(createdAt),
          comment,
          erasedAt: erased && DateTime.formatIso(erased.at)
        }))
      )
    ).pipe(refuse)

  const designations = (slug: string) =>
    readPages((page) =>
      Effect.map(presets.designations({ principal, slug }, page), (found) =>
        found.designations.map(toMove)
      )
    ).pipe(refuse)

  const labelMoves = (slug: string, label: string) =>
    readPages((page) =>
      Effect.map(presets.labelHistory({ principal, slug, label }, page), (found) =>
        found.moves.map(toMove)
      )
    ).pipe(refuse)

  return {
    versions,
    moves: ({ label, slug }) => (label === null ? designations(slug) : labelMoves(slug, label)),
    erase: ({ slug, version }) =>
      presets.erase({ principal, slug, version }).pipe(Effect.asVoid, refuse),
    remove: (slug) => presets.remove({ principal, slug }).pipe(Effect.asVoid, refuse)
  }
}
