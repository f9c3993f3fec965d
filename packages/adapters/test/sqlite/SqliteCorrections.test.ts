/** Runs the correction laws on SQLite. */
import { CorrectionLaws } from "@verbatim/testkit/laws"
import { inMemory, onFile } from "./TemporaryDatabase.ts"

CorrectionLaws.suite("SQLite in memory", inMemory)
CorrectionLaws.suite("SQLite in a file", onFile)
