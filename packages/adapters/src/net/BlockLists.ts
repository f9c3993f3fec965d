/**
 * The tables of `Networks` as block lists of Node, which a socket asks by itself before it
 * connects: a second opinion on every address, by other code.
 */
import { BlockList } from "node:net"
import { embeddedIpv4, type Networks, refusedIpv4, refusedIpv6 } from "@verbatim/core/outbound"
import { Option } from "effect"
import { NetAddress } from "effect/net"

/** One list for each family: a list matches IPv4 against IPv6 rules too, in its mapped form. */
const listOf = (networks: Networks, family: "ipv4" | "ipv6"): BlockList => {
  const list = new BlockList()
  for (const { address, prefixLength } of networks) {
    list.addSubnet(NetAddress.formatIp(address), prefixLength, family)
  }
  return list
}

const ipv4 = listOf(refusedIpv4, "ipv4")
const ipv6 = listOf(refusedIpv6, "ipv6")

/** The list for an address; none for NAT64, which carries IPv4 that no rule over IPv6 can judge. */
export const blockListFor = (address: NetAddress.IpAddress): Option.Option<BlockList> => {
  if (NetAddress.isIpv4Address(address)) return Option.some(ipv4)
  return Option.isSome(embeddedIpv4(address)) ? Option.none() : Option.some(ipv6)
}

/** Whether Node's block lists would refuse the address. */
export const isBlocked = (address: NetAddress.IpAddress): boolean =>
  Option.exists(blockListFor(address), (list) =>
    list.check(NetAddress.formatIp(address), NetAddress.isIpv4Address(address) ? "ipv4" : "ipv6")
  )
