/** Runs the suites that all databases share on Postgres. */
import { StoreContracts } from "@verbatim/testkit/contracts"
import { CorrectionLaws } from "@verbatim/testkit/laws"
import { suite } from "../sql/NewerVersion.ts"
import { advance, onEmptied, onServer } from "./TemporarySchema.ts"

StoreContracts.suite("Postgres", onEmptied, { advance })

CorrectionLaws.suite("Postgres", onEmptied, { advance })

suite("Postgres stores", onServer)
