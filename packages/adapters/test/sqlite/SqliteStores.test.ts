/** Runs the suites that all databases share on SQLite. */
import { clientCases, StoreContracts } from "@verbatim/testkit/contracts"
import { CorrectionLaws } from "@verbatim/testkit/laws"
import { suite } from "../sql/NewerVersion.ts"
import { inMemory, onFile, withClient } from "./TemporaryDatabase.ts"

StoreContracts.suite("SQLite in a file", onFile)

StoreContracts.suite("SQLite in memory", inMemory, { only: clientCases })

CorrectionLaws.suite("SQLite in memory", inMemory)
CorrectionLaws.suite("SQLite in a file", onFile)

suite("SQLite stores", withClient(":memory:"))
