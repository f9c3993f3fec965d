/**
 * Opens a socket to a checked target. A name is resolved once, every address is checked, and the
 * socket connects to one of these numeric addresses, so that no second lookup can return a
 * different one. In addition, the socket has a block list, and the peer's address is checked after
 * connecting.
 */
import { BlockList, connect, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import {
  addressFrom,
  embeddedIpv4,
  isPublic,
  isWithin,
  type Networks,
  refusedIpv4,
  refusedIpv6,
  type Target
} from "@verbatim/core/outbound"
import { Duration, Effect, Option, type Scope } from "effect"
import { NetAddress } from "effect/net"
import type { Guard } from "./Guard.ts"
import { codeOf, type OutboundError, unreachable } from "./OutboundError.ts"
import { unresolvedError } from "./Resolver.ts"

// The forbidden networks as Node block lists. A socket checks its block list before it connects, so
// every address is checked twice, by independent code.

/**
 * There is one list per family, because a list also matches IPv4 addresses, in mapped form, against
 * IPv6 rules.
 */
const listOf = (networks: Networks, family: "ipv4" | "ipv6"): BlockList => {
  const list = new BlockList()
  for (const { address, prefixLength } of networks) {
    list.addSubnet(NetAddress.formatIp(address), prefixLength, family)
  }
  return list
}

const ipv4 = listOf(refusedIpv4, "ipv4")
const ipv6 = listOf(refusedIpv6, "ipv6")

/**
 * Returns the list for an address. NAT64 addresses have no list, because no IPv6 rule can check the
 * embedded IPv4 address.
 */
const blockListFor = (address: NetAddress.IpAddress): Option.Option<BlockList> => {
  if (NetAddress.isIpv4Address(address)) return Option.some(ipv4)
  return Option.isSome(embeddedIpv4(address)) ? Option.none() : Option.some(ipv6)
}

/** Whether Node's block lists contain the address. */
export const isBlocked = (address: NetAddress.IpAddress): boolean =>
  Option.exists(blockListFor(address), (list) =>
    list.check(NetAddress.formatIp(address), NetAddress.isIpv4Address(address) ? "ipv4" : "ipv6")
  )

/** The block list does not apply to networks that the operator allowed. */
const blockListOf = (address: NetAddress.IpAddress, guard: Guard): Option.Option<BlockList> =>
  isWithin(address, guard.allowedNetworks) ? Option.none() : blockListFor(address)

/** Checks and returns a target's addresses. If one address is forbidden, all are refused. */
export const addressesOf = Effect.fnUntraced(function* (
  { host }: Target,
  { allowedNetworks, resolve }: Guard
): Effect.fn.Return<ReadonlyArray<NetAddress.IpAddress>, OutboundError> {
  if (host._tag === "Literal") return [host.address]
  const answers = yield* resolve(host.name)
  if (answers.length === 0) return yield* unresolvedError(host.name, "ENODATA")
  const addresses = answers.flatMap((answer) => Option.toArray(addressFrom(answer)))
  const isPermitted = (address: NetAddress.IpAddress): boolean =>
    isWithin(address, allowedNetworks) || (!host.isLocal && isPublic(address))
  if (addresses.length < answers.length || !addresses.every(isPermitted)) {
    return yield* unreachable(host.name, "ForbiddenAddress")
  }
  return addresses
})

/** Closes a socket immediately. */
export const close = (socket: Socket): Effect.Effect<void> => Effect.sync(() => socket.destroy())

/**
 * Opens a socket and waits for the event that reports success. The socket closes with the scope, or
 * immediately on failure or interruption. Listeners are attached first, because an error event
 * without a listener would crash the program.
 */
const openSocket = <S extends Socket>(
  make: () => S,
  event: "connect" | "secureConnect"
): Effect.Effect<S, unknown, Scope.Scope> => {
  const begin = Effect.sync(() => {
    const socket = make()
    const opened = new Promise<S>((resolve, reject) => {
      socket.once(event, () => resolve(socket))
      socket.once("close", () => reject(socket.errored))
      socket.on("error", reject)
    })
    opened.catch(() => undefined)
    return { socket, opened: opened }
  })
  return Effect.acquireRelease(begin, ({ socket }) => close(socket)).pipe(
    Effect.flatMap(({ opened, socket }) =>
      Effect.tryPromise({ try: () => opened, catch: (cause) => cause }).pipe(
        Effect.onError(() => close(socket))
      )
    )
  )
}

/** Returns the address of a socket's peer. */
export const peerOf = (socket: Socket): string =>
  Option.match(addressFrom(socket.remoteAddress ?? ""), {
    onNone: () => "",
    onSome: NetAddress.formatIp
  })

const connectPlain = Effect.fnUntraced(function* (
  { port, url }: Target,
  destination: {
    readonly address: NetAddress.IpAddress
    readonly blockList: Option.Option<BlockList>
  }
): Effect.fn.Return<Socket, OutboundError, Scope.Scope> {
  const open = () =>
    connect({
      host: NetAddress.formatIp(destination.address),
      port,
      noDelay: true,
      autoSelectFamily: false,
      ...(Option.isSome(destination.blockList) && { blockList: destination.blockList.value })
    })
  const socket = yield* Effect.mapError(openSocket(open, "connect"), (cause) =>
    unreachable(url.hostname, codeOf(cause))
  )
  if (peerOf(socket) === NetAddress.formatIp(destination.address)) return socket
  yield* close(socket)
  return yield* unreachable(url.hostname, "ForbiddenPeer")
})

const wrapInTls = (
  socket: Socket,
  { host, url }: Target
): Effect.Effect<Socket, OutboundError, Scope.Scope> => {
  const name = host._tag === "Name" ? host.name : NetAddress.formatIp(host.address)
  const open = () =>
    connectTls({
      socket,
      host: name,
      // The server name must not be an address. If the host is an address, the certificate is
      // compared with `host`.
      ...(host._tag === "Name" && { servername: name }),
      ALPNProtocols: ["http/1.1"],
      // The option is set explicitly, so that no environment variable can disable the verification.
      rejectUnauthorized: true
    })
  return openSocket(open, "secureConnect").pipe(
    Effect.mapError((cause) => unreachable(url.hostname, codeOf(cause))),
    Effect.onError(() => close(socket))
  )
}

/**
 * Opens a socket to one of the target's checked addresses until the scope closes. Connecting,
 * including TLS, takes at most `connectTimeout`, regardless of the number of addresses.
 */
export const open = Effect.fnUntraced(function* (
  target: Target,
  addresses: ReadonlyArray<NetAddress.IpAddress>,
  guard: Guard
): Effect.fn.Return<Socket, OutboundError, Scope.Scope> {
  const { maxAddresses, connectTimeout } = guard.limits
  const tooSlow = () => Effect.fail(unreachable(target.url.hostname, "ConnectTimeout"))
  const goals = addresses.slice(0, maxAddresses)
  const share = Duration.divideUnsafe(connectTimeout, goals.length)
  const attempts = goals.map((address) =>
    connectPlain(target, { address, blockList: blockListOf(address, guard) }).pipe(
      Effect.timeoutOrElse({ duration: share, orElse: tooSlow })
    )
  )
  const connected = Effect.firstSuccessOf(attempts).pipe(
    Effect.flatMap((socket) =>
      target.isSecure ? wrapInTls(socket, target) : Effect.succeed(socket)
    )
  )
  return yield* Effect.timeoutOrElse(connected, { duration: connectTimeout, orElse: tooSlow })
})
