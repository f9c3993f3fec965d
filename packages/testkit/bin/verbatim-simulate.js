#!/usr/bin/env node
/**
 * Runs the simulation from the command line. This file is not built, so that npm can link it before
 * the build.
 */
import "../dist/simulation/main.js"
