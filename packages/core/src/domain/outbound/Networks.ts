/**
 * Decides which addresses belong to the public internet, and parses the additional networks that an
 * operator allows. Following IANA's registries, there is an allow-list for IPv6 (global unicast
 * except its special ranges) and a deny-list for IPv4.
 */
import { Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** A list of networks, such as those that an operator allows. */
export type Networks = ReadonlyArray<IpNetwork.IpNetwork>

const networks = (...notations: ReadonlyArray<string>): Networks =>
  notations.map(IpNetwork.fromStringUnsafe)

/**
 * Forbidden IPv4 networks: those in IANA's special-purpose registry, multicast networks and
 * reserved networks.
 */
export const refusedIpv4: Networks = networks(
  "0.0.0.0/8", // this network, unspecified
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by carriers; metadata of one cloud
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // a cloud platform's own address, plain unicast by its number
  "169.254.0.0/16", // link-local; metadata of most clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments; metadata of one cloud
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // relays of 6to4
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4" // reserved, broadcast
)

/**
 * Forbidden IPv6 networks: everything outside `2000::/3`, and the parts of that range that are not
 * plain unicast.
 */
export const refusedIpv6: Networks = networks(
  "::/3", // unspecified, loopback, mapped, compatible, NAT64, discard
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: an IPv4 address behind a relay
  "2620:4f:8000::/48", // AS112
  "3ffe::/16", // 6bone, given back
  "3fff::/20", // documentation
  "4000::/2", // unassigned, segment routing
  "8000::/1" // unassigned, unique-local, link-local, site-local, multicast
)

/**
 * The prefix of NAT64 addresses. In an IPv6-only network, resolvers return such an address for a
 * name that has only an IPv4 address (RFC 6052).
 */
const nat64 = IpNetwork.fromStringUnsafe("64:ff9b::/96")

/** Returns the IPv4 address in a NAT64 address; none for any other address. */
export const embeddedIpv4 = (
  address: NetAddress.IpAddress
): Option.Option<NetAddress.Ipv4Address> => {
  if (NetAddress.isIpv4Address(address) || !IpNetwork.contains(nat64, address)) return Option.none()
  const [, , , , , , high, low] = NetAddress.ipv6ToSegments(address)
  return Result.getSuccess(
    NetAddress.ipv4FromOctets([high >> 8, high & 0xff, low >> 8, low & 0xff])
  )
}

/** Whether a network in the list contains the address. */
export const isWithin = (address: NetAddress.IpAddress, list: Networks): boolean =>
  list.some((network) => IpNetwork.contains(network, address))

/** Whether the address belongs to an ordinary host on the public internet. */
export const isPublic = (address: NetAddress.IpAddress): boolean => {
  if (NetAddress.isIpv4Address(address)) return !isWithin(address, refusedIpv4)
  return Option.match(embeddedIpv4(address), {
    onNone: () => !isWithin(address, refusedIpv6),
    onSome: isPublic
  })
}

/**
 * Parses an IP address. An IPv4 address that is mapped into IPv6 becomes that IPv4 address, so that
 * the same rules apply to it. Text with a zone (`%eth0`) is not an address.
 */
export const addressFrom = (text: string): Option.Option<NetAddress.IpAddress> =>
  Option.map(Result.getSuccess(NetAddress.ipFromString(text)), (address) =>
    NetAddress.toCanonical(address)
  )

/**
 * Parses a list of networks in CIDR notation, separated by commas: `10.0.0.0/8,fd00::/8`. The host
 * bits must be zero. An empty string gives an empty list.
 */
export const fromText = (text: string): Result.Result<Networks, NetAddress.NetAddressError> =>
  Result.all(
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map(IpNetwork.fromString)
  )
