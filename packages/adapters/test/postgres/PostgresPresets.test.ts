/** The laws of `Presets` over Postgres, through one pool of sessions and through two. */
import { layer } from "@verbatim/adapters/postgres"
import { PresetStore } from "@verbatim/core/ports/PresetStore"
import * as PresetLaws from "@verbatim/testkit/laws/PresetLaws"
import { Context, Effect, Layer } from "effect"
import { newSchema, onEmptied } from "./TemporarySchema.ts"

/** Two pools to one new schema; the workspaces and the final look are at the first. */
const twoPools = Layer.effectContext(
  Effect.gen(function* () {
    const config = yield* newSchema
    const open = Layer.build(Layer.fresh(layer(config)))
    const [one, other] = [yield* open, yield* open]
    return Context.add(one, PresetLaws.Doors, [
      Context.get(one, PresetStore),
      Context.get(other, PresetStore)
    ])
  })
)

PresetLaws.suite("Postgres", PresetLaws.oneDoor.pipe(Layer.provideMerge(onEmptied)))
PresetLaws.suite("Postgres, two pools", twoPools)
