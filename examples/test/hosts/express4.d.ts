/** The part of Express 4 that is used is the same as in Express 5. */
declare module "express4" {
  import express from "express"
  export = express
}
