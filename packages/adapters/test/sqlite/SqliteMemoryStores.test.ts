import { clientCases, StoreContracts } from "@verbatim/testkit/contracts"
import { inMemory } from "./TemporaryDatabase.ts"

StoreContracts.suite("SQLite in memory", inMemory, { only: clientCases })
