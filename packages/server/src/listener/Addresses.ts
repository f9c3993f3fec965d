/**
 * How many connections one address may have open. An address of IPv6 counts with its network of 64
 * bits: that is what one customer of a provider has.
 */
import { isIPv6 } from "node:net"

/** Names whoever is behind an address. */
export const toOrigin = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [before = "", after] = (address.split("%")[0] ?? "").split("::")
  const left = before === "" ? [] : before.split(":")
  const right = after === undefined || after === "" ? [] : after.split(":")
  const zeros = after === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(zeros).fill("0"), ...right].slice(0, 4).join(":")
}

/** Counts connections by where they come from. */
export const makeAddresses = (connectionMax: number) => {
  const open = new Map<string, number>()
  return {
    /** Takes a connection, until it is told to leave; nothing where there is no place. */
    enter: (address: string): (() => void) | undefined => {
      const origin = toOrigin(address)
      const count = open.get(origin) ?? 0
      if (count >= connectionMax) return undefined
      open.set(origin, count + 1)
      return () => {
        const left = (open.get(origin) ?? 1) - 1
        if (left > 0) open.set(origin, left)
        else open.delete(origin)
      }
    }
  }
}
