/** Faults in the console: in whose share a session is, and which jobs a list looks at again. */
import type { Mutant } from "./Mutant.ts"

const sessions = "packages/console/src/Sessions.ts"
const sessionsTest = "packages/console/test/session/Sessions.test.ts"

const pages = "packages/console/page/jobs/JobPages.ts"
const pagesTest = "packages/console/test/jobs/JobPages.test.ts"

const looksTest = "packages/console/test/jobs/JobLooks.test.ts"

export const consoleMutants: ReadonlyArray<Mutant> = [
  {
    fault: "a login counts the session of its browser, which it replaces",
    file: "packages/console/src/Shares.ts",
    text: "(names?.has(name) ? 1 : 0)",
    instead: "(names?.has(name) ? 0 : 0)",
    tests: [sessionsTest]
  },
  {
    fault: "a login takes a place in one workspace for a session of another one",
    file: sessions,
    text: "ofRooms.countOthers(roomOf(holder), replaces) >=",
    instead: 'ofRooms.countOthers(roomOf(holder), replaces) - (replaces === "" ? 0 : 1) >=',
    tests: [sessionsTest]
  },
  {
    fault: "a login that is refused ends the session of its browser",
    file: sessions,
    text: "if (isRoomFull && !isKeyFull) return false\n    end(replaces)",
    instead: "end(replaces)\n    if (isRoomFull && !isKeyFull) return false",
    tests: [sessionsTest]
  },
  {
    fault: "a page of jobs tells of those above it",
    file: pages,
    text: "(below === undefined || id < below)",
    instead: "(below === undefined || id !== below)",
    tests: [pagesTest]
  },
  {
    fault: "a page of jobs tells of those below it",
    file: pages,
    text: "id >= lowest &&",
    instead: 'lowest !== "-" &&',
    tests: [pagesTest]
  },
  {
    fault: "a job is looked for from the highest page on, again and again",
    file: pages,
    text: "lowest.below < start.below",
    instead: "lowest.below > start.below",
    tests: [pagesTest]
  },
  {
    fault: "where much is new, the jobs below it are not reached",
    file: pages,
    text: "if (behind !== undefined) starts.push(behind)",
    instead: "if (behind === undefined) starts.push(page.data[0] as never)",
    tests: [pagesTest]
  },
  {
    fault: "a job that fits a filter since a moment ago is not looked for",
    file: "packages/console/page/jobs/JobLooks.ts",
    text: "for (const id of ids) changed.add(id)",
    instead: "for (const id of ids) if (known.all().has(id)) changed.add(id)",
    tests: [looksTest]
  },
  {
    fault: "each job where nobody has read yet is asked for by itself",
    file: "packages/console/page/jobs/JobLooks.ts",
    text: "pages.isBeyond(id) && !known.all().has(id)",
    instead: 'pages.isBeyond(id) && id === ""',
    tests: [looksTest]
  },
  {
    fault: "where much is new, what lies between that and the known is never seen",
    file: "packages/console/page/jobs/JobLooks.ts",
    text: "told.length === 0) stale.add(newest)",
    instead: "told.length < 0) stale.add(newest)",
    tests: [looksTest]
  },
  {
    fault: "what was handed in since the last look hides what came before it",
    file: "packages/console/page/jobs/JobLooks.ts",
    text: 'const first = page.data[0]?.id ?? ""',
    instead: "const first = [...known.all().keys()].sort().at(-1) ?? newest; newest = first",
    tests: [looksTest]
  },
  {
    fault: "where the newest jobs were deleted, what comes is not read down to the others",
    file: "packages/console/page/jobs/JobLooks.ts",
    text: "if (first > newest) newest = first",
    instead: "newest = first",
    tests: [looksTest]
  },
  {
    fault: "a list that was empty is never read on",
    file: pages,
    text: "isBegun = isBegun || page.data.length > 0",
    instead: "isBegun = true",
    tests: [looksTest]
  },
  {
    fault: "a deleted job comes back with an answer that was on its way",
    file: "packages/console/page/jobs/AnswerOrder.ts",
    text: "if (open.size === 0) toldBy.clear()",
    instead: "toldBy.clear()",
    tests: [looksTest]
  },
  {
    fault: "a deleted job stays with a page that was on its way when nobody tells of it any more",
    file: "packages/console/page/jobs/JobFetches.ts",
    text: "if (question < resetAt) onDoubt(",
    instead: "if (question > resetAt) onDoubt(",
    tests: [looksTest]
  },
  {
    fault: "whoever takes back what was put away loses what was written since",
    file: "packages/console/page/transcript/Draft.ts",
    text: "new Map([...within(before.texts, block), ...texts])",
    instead: "before.texts",
    tests: ["packages/console/test/transcript/Draft.test.ts"]
  },
  {
    fault: "what was counted before a clock was set back stands for now",
    file: "packages/console/page/work/QueueMoments.ts",
    text: "at >= from && at <= until",
    instead: "at >= from",
    tests: ["packages/console/test/work/QueueMoments.test.ts"]
  },
  {
    fault: "what happens to a job while it is searched for is not seen",
    file: "packages/console/page/jobs/JobLooks.ts",
    text: "if (searchCount > 0) return",
    instead: "if (searchCount > 1) return",
    tests: [looksTest]
  }
]
