/** The laws of `Presets` over the memory of the process. */
import { layer } from "@verbatim/adapters/memory"
import { PresetLaws } from "@verbatim/testkit/laws"
import { Layer } from "effect"

PresetLaws.suite("memory", PresetLaws.oneDoor.pipe(Layer.provideMerge(layer)))
