import { StoreContracts } from "@verbatim/testkit/contracts"
import { onFile } from "./TemporaryDatabase.ts"

StoreContracts.suite("SQLite in a file", onFile)
