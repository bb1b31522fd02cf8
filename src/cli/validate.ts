// Command `validate`: NDJSON events of any producer, checked line by line. Findings and a last line of figures go to stdout.
import { once } from 'node:events';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError, UsageError } from '../errors/errors.ts';
import {
  type Consumer,
  checkStream,
  consumers,
  createChecker,
  type Finding,
  ownCheck,
  type SchemaCheck,
  versionedCheck,
} from '../validation/validation.ts';

export interface ValidateOptions {
  /** Folder with the specification's files; absent: our own. */
  readonly schemas?: string;
  readonly consumer?: readonly string[];
  /** Warnings count as errors. */
  readonly strict: boolean;
  readonly json: boolean;
}

/**
 * @param file path, or `-` for stdin
 * @returns 1 when there is an error (with `strict`: a finding)
 * @throws ConfigError when the file or the schemas cannot be read
 */
export async function validateCommand(
  file: string,
  options: ValidateOptions,
  output: NodeJS.WritableStream = process.stdout,
): Promise<0 | 1> {
  const wanted = consumersOf(options.consumer ?? consumers);
  const checker = createChecker(schemasOf(options.schemas), wanted);
  const write = async (line: string) => {
    if (!output.write(`${line}\n`)) await once(output, 'drain');
  };
  const stream = file === '-' ? process.stdin : await opened(file);
  const report = await checkStream(stream, checker, (line, found) =>
    write(options.json ? JSON.stringify({ line, ...found }) : findingLine(line, found)),
  );
  const failed = report.errors > 0 || (options.strict && report.warnings > 0);
  if (options.json) await write(JSON.stringify({ valid: !failed, ...report }));
  else {
    const { events, errors, warnings, runs, open: left } = report;
    await write(`${events} events of ${runs} runs (${left} not ended): ${errors} errors, ${warnings} warnings`);
  }
  return failed ? 1 : 0;
}

function findingLine(line: number, { level, rule, path, message, consumer }: Finding): string {
  return `line ${line}: ${level} ${rule}${consumer === undefined ? '' : ` (${consumer})`} ${path === '' ? '' : `${path}: `}${message}`;
}

function consumersOf(names: readonly string[]): Consumer[] {
  return names.map((name) => {
    const known = consumers.find((consumer) => consumer === name);
    if (known === undefined) throw new UsageError('validate', `--consumer ${name}: known are ${consumers.join(', ')}`);
    return known;
  });
}

async function opened(file: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    // Opened here, so that a missing file is no finding.
    const handle = await open(file, 'r');
    return createReadStream(file, { fd: handle, highWaterMark: 1024 * 1024 });
  } catch (cause) {
    throw new UsageError('validate', `cannot read ${file} (${(cause as NodeJS.ErrnoException).code ?? 'error'})`, { cause });
  }
}

/** Checks events against our schemas, or against those of a folder. @throws ConfigError */
export function schemasOf(folder: string | undefined): SchemaCheck {
  const own = join(dirname(fileURLToPath(import.meta.url)), '../../schemas');
  const files = jsonFiles(folder ?? own);
  try {
    return folder === undefined ? ownCheck(files) : versionedCheck(files);
  } catch (cause) {
    throw new ConfigError('CONFIG_INVALID', `${folder ?? 'schemas'}: ${cause instanceof Error ? cause.message : 'unusable'}`, { cause });
  }
}

/** Every JSON file of a folder tree that is a schema, by its path below it. */
function jsonFiles(folder: string): Record<string, unknown> {
  const read = (name: string): unknown => {
    const text = readFileSync(join(folder, name), 'utf8');
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new ConfigError('CONFIG_INVALID', `${join(folder, name)} is no JSON`, { cause });
    }
  };
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
    return Object.fromEntries(names.sort().map((name) => [name, read(name)]));
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw new ConfigError('CONFIG_INVALID', `cannot read ${folder} (${(cause as NodeJS.ErrnoException).code ?? 'error'})`, { cause });
  }
}
