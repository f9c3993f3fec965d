/** Runs the laws of `Presets` on the memory stores. */
import { layer } from "@verbatim/adapters/memory"
import { PresetLaws } from "@verbatim/testkit/laws"
import { Layer } from "effect"

PresetLaws.suite("memory", PresetLaws.singleStore.pipe(Layer.provideMerge(layer)))
