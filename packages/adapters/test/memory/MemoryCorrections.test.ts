/** Runs the correction laws on the memory stores. */
import { layer } from "@verbatim/adapters/memory"
import { CorrectionLaws } from "@verbatim/testkit/laws"

CorrectionLaws.suite("memory", layer)
