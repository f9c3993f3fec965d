/** The laws of corrections over SQLite. */
import { CorrectionLaws } from "@verbatim/testkit/laws"
import { inMemory, onFile } from "./TemporaryDatabase.ts"

CorrectionLaws.suite("SQLite in memory", inMemory)
CorrectionLaws.suite("SQLite in a file", onFile)
