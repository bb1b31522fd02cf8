// A JAR or Python application as evidence: what its arguments say, read and kept without secrets.
import { type Finding, prepareProgram } from '../actions/actions.ts';
import type { ErrorCode } from '../errors/errors.ts';
import { type DistilledPipeline, distillTransfers } from '../identity/identity.ts';
import { maskText } from '../plan/plan.ts';
import type { AppRow } from '../watch/watch.ts';
import type { Context } from './context.ts';

/** What a program does, as it was when the run was proven: no secrets, texts masked. */
export interface ProgramFacts {
  /** Both null for a program that is no known tool. */
  readonly tool: string | null;
  readonly action: string | null;
  readonly pipelines: readonly DistilledPipeline[];
  readonly findings: readonly Finding[];
  /** For the sourceCode facet; null when events.sql is none. */
  readonly code: { readonly language: string; readonly text: string } | null;
  readonly mode: 'streaming' | 'batch';
  /** What it is may not be read. */
  readonly unreadable?: true;
}

export interface LoadedProgram {
  readonly program: ProgramFacts;
  readonly secrets: readonly string[];
  readonly engineVersion: string | null;
  readonly notes: readonly ErrorCode[];
}

/** Text kept for the sourceCode facet is cut to this many characters; events are cut further by their own limit. */
const longestText = 128 * 1024;

/** Reads what a JAR or Python application of Flink runs; null when it is gone. */
export async function loadProgram(context: Context, app: AppRow): Promise<LoadedProgram | null> {
  const stored = await context.source.loadProgram(app.id);
  if (stored === null) return null;
  const { recognised, secrets, mode, code, unknownVariables } = prepareProgram(stored);
  const mask = (text: string) => maskText(text, secrets);
  const undefinedVariables = unknownVariables.map(
    (name): Finding => ({ code: 'VARIABLE_UNKNOWN', message: `the variable ${name} is not defined or blank` }),
  );
  const findings = recognised === undefined ? [] : [...recognised.findings, ...undefinedVariables];
  const isShown = code !== null && context.settings.events.sql !== 'none';
  return {
    program: {
      tool: recognised?.tool ?? null,
      action: recognised === undefined ? null : mask(recognised.action).slice(0, 100),
      pipelines: distillTransfers(recognised?.transfers ?? []),
      findings: findings.slice(0, 100).map((finding) => ({ ...finding, message: mask(finding.message) })),
      code: isShown ? { language: code.language, text: code.text.slice(0, longestText) } : null,
      mode,
      ...(!stored.readable && { unreadable: true }),
    },
    secrets,
    engineVersion: stored.engineVersion,
    notes: stored.readable ? [] : ['SOURCE_PRIVILEGE'],
  };
}

/**
 * Whether an application is reported at all: a program that is no known tool only when it is asked for. One of which nobody may read
 * what it is may be a known tool.
 */
export const isReported = (context: Context, app: AppRow, program: ProgramFacts | null): boolean =>
  (app.jobType !== 'jar' && app.jobType !== 'python') ||
  app.engine === 'spark' ||
  context.settings.events.otherJobs ||
  program?.tool != null ||
  program?.unreadable === true;
