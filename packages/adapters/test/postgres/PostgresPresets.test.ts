/** Runs the laws of `Presets` on Postgres, through one pool of sessions and through two. */
import { PresetLaws } from "@verbatim/testkit/laws"
import { Layer } from "effect"
import { twoPresets } from "../sql/TwoClients.ts"
import { onEmptied, twoPools } from "./TemporarySchema.ts"

PresetLaws.suite("Postgres", PresetLaws.singleStore.pipe(Layer.provideMerge(onEmptied)))
PresetLaws.suite("Postgres, two pools", twoPresets(twoPools))
