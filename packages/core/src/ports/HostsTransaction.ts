/**
 * Whether what runs writes in a transaction that the host has begun and will end. Others may wait
 * for its locks until then, so nothing in it may wait for others; and what it sees is nobody else's
 * to know before the commit.
 */
import { Context } from "effect"

/** Set by whoever lets an effect into a transaction of the host. */
export const HostsTransaction: Context.Reference<boolean> = Context.Reference(
  "@verbatim/core/ports/HostsTransaction",
  { defaultValue: () => false }
)
