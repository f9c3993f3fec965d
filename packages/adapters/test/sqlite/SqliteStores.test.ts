import { suite } from "@verbatim/testkit/contracts/StoreContracts"
import { inMemory, onFile } from "./TemporaryDatabase.ts"

suite("SQLite in a file", onFile)
suite("SQLite in memory", inMemory)
