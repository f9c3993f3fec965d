/** What a fault of the host says, as the history of a job keeps it: one line of some length. */

const lengthMax = 300

const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/** Name and message of what was thrown, whatever that is. */
export const detailOf = (fault: unknown): string => {
  const said = fault instanceof Error ? `${fault.name}: ${fault.message}` : `threw ${typeof fault}`
  return said.replace(breaks, " ").slice(0, lengthMax)
}
