#!/usr/bin/env node
/**
 * Runs the simulation from the command line. The build does not create this file, so npm can link
 * it before the build.
 */
import "../dist/simulation/main.js"
