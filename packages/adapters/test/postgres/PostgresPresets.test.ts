/** The laws of `Presets` over Postgres, through one pool of sessions and through two. */
import { PresetLaws } from "@verbatim/testkit/laws"
import { Layer } from "effect"
import { twoDoors } from "../sql/TwoClients.ts"
import { onEmptied, twoPools } from "./TemporarySchema.ts"

PresetLaws.suite("Postgres", PresetLaws.oneDoor.pipe(Layer.provideMerge(onEmptied)))
PresetLaws.suite("Postgres, two pools", twoDoors(twoPools))
