/**
 * Tests that run whole programs for a long time, of which each commit runs one in turn; `.ci/run`
 * runs all of them.
 */
import { casesInTurn } from "@verbatim/testkit/laws"

const inTurn = casesInTurn(["backup", "copy", "doctor", "upgrade"] as const, 4)

/** Whether it is their turn. */
export const isInTurn = (name: (typeof inTurn)[number]): boolean => inTurn.includes(name)
