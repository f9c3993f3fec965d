/**
 * Moves about presets: versions, and changes decided on what somebody saw of a preset.
 */
import { edges, type Preset } from "@verbatim/core/preset"
import { Effect } from "effect"
import { numberOf } from "../questions/JobCalls.ts"
import { type PresetChange, roundLabels } from "../questions/PresetChange.ts"
import type { Move, Player } from "./Move.ts"

/** Presets that all fibers of a round share. */
const presetsMax = 12

/** The slug of one of them. */
export const slugOf = ({ dice, round }: Player): string =>
  `preset-${round}-${dice.below(presetsMax)}`

const see = ({ board }: Player, preset: Preset) => {
  const known = board.presets.get(preset.slug)
  if (known === undefined) {
    board.presets.set(preset.slug, { preset, versions: [] })
    return
  }
  if (preset.revision > known.preset.revision) known.preset = preset
}

const append = (player: Player) =>
  Effect.map(player.presets.append(player, slugOf(player)), (written) => {
    if (written === undefined) return
    see(player, written.preset)
    const { id, version } = written.version
    const known = player.board.presets.get(written.preset.slug)
    known?.versions.push({ ordinal: version, number: numberOf(id) })
  })

/** What is decided on a version that is there. Erasures have checks of their own. */
const changes: ReadonlyArray<string> = [
  "Designated",
  "Described",
  "LabelMoved",
  "LabelRemoved",
  "Suspended",
  "Resumed",
  "Shelved"
] satisfies ReadonlyArray<PresetChange["event"]>

const isChange = (event: string): event is PresetChange["event"] => changes.includes(event)

const revise = (player: Player) => {
  const { board, dice, presets } = player
  const known = board.presets.get(slugOf(player))
  const version = known?.versions[dice.below(known.versions.length)]
  if (known === undefined || version === undefined) return append(player)
  const possible = Object.keys(edges[known.preset._tag]).filter(isChange)
  // Archived presets take nothing, so few are archived.
  const event = dice.pick(possible)
  const chosen = event === "Shelved" && dice.chance(0.7) ? "Described" : event
  const wish = { known: known.preset, event: chosen, version }
  const revised = presets.revise(
    player,
    chosen === "LabelMoved" || chosen === "LabelRemoved"
      ? // Most are by those whom a protection stops.
        { ...wish, label: dice.pick(roundLabels), isFree: dice.chance(0.8) }
      : wish
  )
  return Effect.andThen(revised, find(player, known.preset.slug))
}

/** Protects a label, and lifts that soon, so that others move it again. */
const guard = (player: Player) => {
  const { dice, presets } = player
  const label = dice.pick(roundLabels)
  const isLasting = dice.chance(0.3)
  const protect = presets.protect(player, label)
  return isLasting ? protect : Effect.andThen(protect, presets.unprotect(player, label))
}

const find = (player: Player, slug: string) =>
  Effect.map(player.presets.find(player, slug), (found) => found && see(player, found.preset))

const list = (player: Player) => {
  const known = player.board.presets.get(slugOf(player))
  if (known === undefined) return Effect.void
  const asked = player.dice.pick(["designations", "labelMoves", "versions"] as const)
  return player.presets[asked](player, known.preset)
}

/** Moves about presets. */
export const presetMoves: ReadonlyArray<Move> = [
  { weight: 8, make: append },
  { weight: 6, make: revise },
  { weight: 3, make: (player) => find(player, slugOf(player)) },
  { weight: 1, make: list },
  { weight: 1, make: guard }
]
