/**
 * Which addresses and URLs the outbound side may reach.
 */
export {
  addressFrom,
  embeddedIpv4,
  fromText,
  isPublic,
  isWithin,
  type Networks,
  refusedIpv4,
  refusedIpv6
} from "./Networks.ts"
export { OutboundPolicy } from "./OutboundPolicy.ts"
export { judgeUrl, type Target, urlLengthMax } from "./UrlPolicy.ts"
