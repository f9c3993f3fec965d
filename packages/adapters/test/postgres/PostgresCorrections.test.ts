/** The laws of corrections over Postgres. */
import { CorrectionLaws } from "@verbatim/testkit/laws"
import { advance, onEmptied } from "./TemporarySchema.ts"

CorrectionLaws.suite("Postgres", onEmptied, { advance })
