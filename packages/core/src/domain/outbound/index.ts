/**
 * The addresses and URLs that outgoing requests may reach.
 */
export * from "./Networks.ts"
export { checkUrl, OutboundPolicy, type Target, urlLengthMax } from "./UrlPolicy.ts"
