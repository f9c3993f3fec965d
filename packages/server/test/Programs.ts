/**
 * Tests that run whole programs for a long time, most of it waiting for leases, of which each
 * commit runs some in turn; `.ci/run` runs all of them.
 */
import { casesInTurn } from "@verbatim/testkit/laws"

/** Those that one commit runs together. */
const parts = [
  ["backup", "copy"],
  ["faults over SQLite"],
  ["doctor", "upgrade"],
  ["faults over Postgres"]
] as const

const inTurn = casesInTurn(parts, parts.length).flat()

/** Whether it is their turn. */
export const isInTurn = (name: (typeof inTurn)[number]): boolean => inTurn.includes(name)
