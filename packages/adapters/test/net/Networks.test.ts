/** Tests that two implementations agree on which addresses are public. */
import { assert, describe, it } from "@effect/vitest"
import * as Networks from "@verbatim/core/outbound"
import { Arbitrary, Option, Result, Schema } from "effect"
import { IpNetwork, type NetAddress } from "effect/net"
import * as GuardedSocket from "#src/net/GuardedSocket"

const refused: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["unspecified", ["0.0.0.0", "0.1.2.3", "::"]],
  ["loopback", ["127.0.0.1", "127.255.255.254", "::1"]],
  ["private", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"]],
  ["carrier", ["100.64.0.1", "100.100.100.200", "100.127.255.255"]],
  ["link-local", ["169.254.169.254", "169.254.170.2", "fe80::1", "febf::1"]],
  ["unique-local", ["fc00::1", "fd00:ec2::254", "fdff::1"]],
  ["site-local", ["fec0::1"]],
  ["multicast", ["224.0.0.1", "239.255.255.250", "ff02::1"]],
  ["reserved", ["240.0.0.1", "255.255.255.255", "4000::1", "5f00::1", "e000::1"]],
  ["platform", ["168.63.129.16", "192.0.0.192"]],
  ["documentation", ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"]],
  ["benchmarks", ["198.18.0.1", "198.19.255.255", "2001:2::1"]],
  ["mapped", ["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe"]],
  ["compatible", ["::127.0.0.1", "::10.0.0.1"]],
  ["translated", ["::ffff:0:127.0.0.1"]],
  ["6to4", ["2002:7f00:1::1", "2002:a00:1::", "2002:808:808::1"]],
  ["Teredo", ["2001::1", "2001:0:a00:1::"]],
  ["NAT64", ["64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::8.8.8.8"]]
]

const open = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "168.63.129.15",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.1",
  "223.255.255.255",
  "2001:200::1",
  "2606:4700::1111",
  "2a00:1450::1",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8"
]

const addressOf = (text: string): NetAddress.IpAddress =>
  Option.getOrThrow(Networks.addressFrom(text))

/** Arbitrary addresses, and addresses near the edges of networks, where mistakes are likely. */
const partOf = (borders: ReadonlyArray<number>, maximum: number) =>
  Schema.Union([
    Schema.Literals(borders),
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
  ])

const octet = partOf([0, 1, 10, 64, 100, 127, 168, 169, 172, 192, 198, 224, 254, 255], 255)
const segment = partOf([0, 1, 0x64, 0xff9b, 0x2001, 0x2002, 0x3fff, 0x4000, 0xffff], 0xffff)

const ipv4 = Arbitrary.map(Arbitrary.schema(Schema.Tuple([octet, octet, octet, octet])), (octets) =>
  octets.join(".")
)

const ipv6 = Arbitrary.map(
  Arbitrary.schema(Schema.Tuple([segment, segment, segment, segment])),
  (segments) => `${segments.map((each) => each.toString(16)).join(":")}::1`
)

describe("Networks", () => {
  it.each(refused)("refuses %s addresses", (_, addresses) => {
    for (const address of addresses) {
      assert.isFalse(Networks.isPublic(addressOf(address)), address)
    }
  })

  it("accepts all other addresses, even those next to a refused network", () => {
    for (const address of open) assert.isTrue(Networks.isPublic(addressOf(address)), address)
  })

  it("refuses every network from its first address to its last", () => {
    for (const network of [...Networks.refusedIpv4, ...Networks.refusedIpv6]) {
      assert.isFalse(Networks.isPublic(IpNetwork.firstAddress(network)), `${network}`)
      assert.isFalse(Networks.isPublic(IpNetwork.lastAddress(network)), `${network}`)
    }
  })

  it.prop("classifies addresses like Node's block list", [ipv4, ipv6], (texts) => {
    for (const address of texts.map(addressOf)) {
      const isJudgedByPart = Option.isSome(Networks.embeddedIpv4(address))
      if (!isJudgedByPart)
        assert.strictEqual(Networks.isPublic(address), !GuardedSocket.isBlocked(address))
    }
  })

  it.prop(
    "treats an IPv4 address the same in every IPv6 form that contains it",
    [ipv4],
    ([text]) => {
      const isPublic = Networks.isPublic(addressOf(text))
      assert.strictEqual(Networks.isPublic(addressOf(`::ffff:${text}`)), isPublic)
      assert.strictEqual(Networks.isPublic(addressOf(`64:ff9b::${text}`)), isPublic)
    }
  )

  it.each(["", "1.2.3", "1.2.3.4.5", "01.2.3.4", "fe80::1%eth0", "[::1]", "::g", "0x7f.0.0.1"])(
    "does not accept %j as an address",
    (text) => assert.isTrue(Option.isNone(Networks.addressFrom(text)))
  )

  it("parses a list of networks", () => {
    const list = Result.getOrThrow(Networks.fromText(" 10.0.0.0/8, fd00::/8 ,127.0.0.1/32,"))
    assert.deepStrictEqual(list.map(IpNetwork.format), ["10.0.0.0/8", "fd00::/8", "127.0.0.1/32"])
    assert.isTrue(Networks.isWithin(addressOf("10.1.2.3"), list))
    assert.isTrue(Networks.isWithin(addressOf("::ffff:10.1.2.3"), list))
    assert.isFalse(Networks.isWithin(addressOf("127.0.0.2"), list))
    assert.deepStrictEqual(Result.getOrThrow(Networks.fromText("")), [])
  })

  it.each(["10.0.0.0", "10.0.0.1/8", "10.0.0.0/33", "loopback", "10.0.0.0/8;127.0.0.0/8"])(
    "does not parse %j",
    (text) => assert.isTrue(Result.isFailure(Networks.fromText(text)))
  )
})
