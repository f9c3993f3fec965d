/** The laws of corrections over the memory of the process. */
import { layer } from "@verbatim/adapters/memory"
import { CorrectionLaws } from "@verbatim/testkit/laws"

CorrectionLaws.suite("memory", layer)
