import { layer } from "@verbatim/adapters/lexrank"
import { SummarizerContract } from "@verbatim/testkit/contracts"

SummarizerContract.suite("lexrank", layer)
