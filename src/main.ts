#!/usr/bin/env node
// Entry: hands arguments and environment to the command line and takes its exit code.
import { main } from './cli/cli.ts';

process.exitCode = await main(process.argv.slice(2), process.env);
