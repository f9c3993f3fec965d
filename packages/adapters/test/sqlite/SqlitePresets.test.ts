/** Runs the laws of `Presets` on SQLite, with one connection and with two to one file. */
import { PresetLaws } from "@verbatim/testkit/laws"
import { Layer } from "effect"
import { twoPresets } from "../sql/TwoClients.ts"
import { inMemory, onFile, twoConnections } from "./TemporaryDatabase.ts"

PresetLaws.suite("SQLite in memory", PresetLaws.singleStore.pipe(Layer.provideMerge(inMemory)))
PresetLaws.suite("SQLite in a file", PresetLaws.singleStore.pipe(Layer.provideMerge(onFile)))
PresetLaws.suite("SQLite, two connections to a file", twoPresets(twoConnections))
