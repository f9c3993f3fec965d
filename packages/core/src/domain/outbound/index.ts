/**
 * Which addresses and URLs the outbound side may reach.
 */
export * from "./Networks.ts"
export { judgeUrl, OutboundPolicy, type Target, urlLengthMax } from "./UrlPolicy.ts"
