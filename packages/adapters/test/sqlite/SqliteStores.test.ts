import { StoreContracts } from "@verbatim/testkit/contracts"
import { inMemory, onFile } from "./TemporaryDatabase.ts"

StoreContracts.suite("SQLite in a file", onFile)
StoreContracts.suite("SQLite in memory", inMemory)
