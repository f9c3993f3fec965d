import * as PresetStoreContract from "@verbatim/testkit/contracts/PresetStoreContract"
import { inMemory, onFile } from "./TemporaryDatabase.ts"

PresetStoreContract.suite("SQLite in a file", onFile)
PresetStoreContract.suite("SQLite in memory", inMemory)
