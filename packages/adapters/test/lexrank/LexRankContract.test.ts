import { layer } from "@verbatim/adapters/lexrank"
import * as SummarizerContract from "@verbatim/testkit/contracts/SummarizerContract"

SummarizerContract.suite("lexrank", layer)
