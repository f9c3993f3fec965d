/** Runs the correction laws on Postgres. */
import { CorrectionLaws } from "@verbatim/testkit/laws"
import { advance, onEmptied } from "./TemporarySchema.ts"

CorrectionLaws.suite("Postgres", onEmptied, { advance })
