/** Faults in keywords: whose they are, in which order, and whether an engine was told them. */
import { core, type Mutant } from "./Mutant.ts"

const outcomeTests = ["packages/core/test/worker/Outcomes.test.ts"]
const keyTests = ["packages/core/test/services/Idempotency.test.ts"]
const keywordTests = ["packages/core/test/domain/workspace/Keywords.test.ts"]

const submissions = core("services/Submissions.ts")
const keywords = core("domain/workspace/Keywords.ts")

export const keywordMutants: ReadonlyArray<Mutant> = [
  {
    fault: "engines are not told the keywords of a workspace",
    file: submissions,
    text: "withKeywords(request, workspace.keywords)",
    instead: "withKeywords(request, workspace.keywords.slice(workspace.keywords.length))",
    tests: outcomeTests
  },
  {
    fault: "the keywords of a workspace are a part of what makes two requests the same",
    file: submissions,
    text: "yield* fingerprint(request, received.upload)",
    instead: "yield* fingerprint(withKeywords(request, workspace.keywords), received.upload)",
    tests: keyTests
  },
  {
    fault: "the keywords of a workspace push out those of a request",
    file: keywords,
    text: "[...new Set([...own, ...more])]",
    instead: "[...new Set([...more, ...own])]",
    tests: outcomeTests
  },
  {
    fault: "an engine that takes no keywords passes for one that was told them",
    file: core("services/Transcriptions.ts"),
    text: "areKeywordsUsed: recognised.areKeywordsUsed === true",
    instead: "areKeywordsUsed: recognised.areKeywordsUsed !== false",
    tests: outcomeTests
  },
  {
    fault: "keywords may be longer together than engines take",
    file: keywords,
    text: "charactersInTotalAtMost(keywordsLengthMax)",
    instead: "charactersInTotalAtMost(keywordsLengthMax + 1)",
    tests: keywordTests
  }
]
