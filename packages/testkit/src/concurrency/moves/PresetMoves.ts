/** Moves that send all kinds of preset commands to presets shared by all fibers. */
import { Effect } from "effect"
import { labels } from "../../model/PresetCommands.ts"
import type { Command } from "../../model/PresetModel.ts"
import type { Move, Player } from "./Player.ts"

/** Number of presets shared by all fibers in a round. */
const presetsMax = 12

/** Highest version number in a command. It is low, so that writers collide. */
const versionMax = 6

/** The share of callers with a key that has all label scopes. */
const holderShare = 0.2

/** Returns the slug of a shared preset. */
export const slugOf = ({ dice, round }: Player): string =>
  `preset-${round}-${dice.below(presetsMax)}`

const give = (player: Player, command: Command) =>
  player.presets.call(player, command, {
    slug: slugOf(player),
    isHolder: player.dice.chance(holderShare)
  })

const create = (player: Player) => {
  const { dice, recorder } = player
  const text = `prompt ${recorder.number()}`
  return give(player, { _tag: "Create", text, stage: dice.chance(0.3) })
}

/** Number of idempotency keys per preset. */
const keysMax = 12

/**
 * Creates a version with a key, sometimes twice concurrently, and sometimes with a different
 * prompt.
 */
const createKeyed = (player: Player) => {
  const { dice, presets } = player
  const slug = slugOf(player)
  const number = dice.below(keysMax)
  const key = `key-${number}-of-${slug}`
  const text = dice.chance(0.9) ? `prompt of ${key}` : "another prompt"
  const stage = number % 2 === 0
  const sent = presets.call(player, { _tag: "Create", text, stage, key }, { slug })
  return dice.chance(0.3) ? Effect.all([sent, sent], { concurrency: 2 }) : sent
}

const derive = (player: Player) => {
  const { dice } = player
  return give(player, {
    _tag: "Derive",
    from: dice.chance(0.5) ? null : dice.between(1, versionMax),
    field: dice.pick(["temperature", "top_p"] as const),
    value: dice.below(2),
    stage: dice.chance(0.3)
  })
}

const change = (player: Player) => {
  const { dice, recorder } = player
  const version = dice.between(1, versionMax)
  const label = dice.pick(labels)
  // Archived presets refuse every change, so the fibers archive only a few.
  const status = dice.chance(0.1) ? "archived" : dice.pick(["active", "disabled"] as const)
  const name = `name ${recorder.number()}`
  return give(
    player,
    dice.pick<Command>([
      { _tag: "Designate", version },
      { _tag: "MoveLabel", label, version },
      { _tag: "MoveLabel", label, version },
      { _tag: "RemoveLabel", label },
      { _tag: "Revise", change: dice.chance(0.5) ? { status } : { name } },
      { _tag: "Revise", change: { status: "active" } },
      // If the response to a creation were lost and the preset then removed, nothing would prove
      // that the version existed, and the judge would try too many orders.
      player.isPatient && dice.chance(0.5) ? { _tag: "Remove" } : { _tag: "Designate", version },
      dice.chance(0.1) ? { _tag: "Erase", version } : { _tag: "Designate", version }
    ])
  )
}

const look = (player: Player) => {
  const label = player.dice.pick(labels)
  return give(player, player.dice.chance(0.7) ? { _tag: "Look" } : { _tag: "Resolve", label })
}

/** Protects a label and soon unprotects it, so that other callers can move it again. */
const guard = (impatient: Player) => {
  // If the response to a protection could be lost, too many outcomes would be possible.
  const player = { ...impatient, isPatient: true }
  const { dice, presets } = player
  const label = dice.pick(labels)
  const protect = presets.call(player, { _tag: "Protect", label })
  if (dice.chance(0.3)) return presets.moveLate(player, { slug: slugOf(player), label, protect })
  return Effect.andThen(protect, presets.call(player, { _tag: "Unprotect", label }))
}

/** The moves that send preset commands, with their weights. */
export const presetMoves: ReadonlyArray<Move> = [
  { weight: 5, make: create },
  { weight: 2, make: createKeyed },
  { weight: 2, make: derive },
  { weight: 8, make: change },
  { weight: 3, make: look },
  { weight: 1, make: guard }
]
