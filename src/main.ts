#!/usr/bin/env node
// Entry: hands arguments and environment to the command line and takes its exit code.
import { keepHeapSmall } from './cli/heap.ts';

// before the rest is loaded: what loading makes the heap grow to, it keeps
if (process.argv.includes('run') || process.argv.includes('relay')) keepHeapSmall();
const { main } = await import('./cli/cli.ts');

process.exitCode = await main(process.argv.slice(2), process.env);
