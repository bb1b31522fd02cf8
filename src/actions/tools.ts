// The tools. A new one is one file and one line here.
import type { Program, Recognised } from './actions.ts';
import { splitArguments } from './arguments.ts';
import { doris } from './doris.ts';
import { flinkCdc } from './flink-cdc.ts';
import { hudiClustering, hudiCompactor, hudiStreamer } from './hudi.ts';
import { paimon } from './paimon.ts';
import type { Tool, ToolAction } from './tool.ts';

const tools: readonly Tool[] = [paimon, flinkCdc, doris, hudiStreamer, hudiCompactor, hudiClustering];

/**
 * What a program does, where its main class, or the name of a jar that has no other, is that of a known tool.
 * @returns undefined for every other program
 */
export function recognise(program: Program): Recognised | undefined {
  const mainClass = program.mainClass?.trim() ?? '';
  const file = (program.jar ?? '').trim().replace(/^.*[\\/]/, '');
  const tool =
    mainClass === ''
      ? tools.find(({ jars }) => jars?.test(file) === true)
      : tools.find(({ mainClasses }) => mainClasses.includes(mainClass));
  return tool?.read(program, splitArguments(program.args));
}

/** One entry per tool, for the reference page. */
export const toolCatalogue = (): readonly {
  readonly name: string;
  readonly mainClasses: readonly string[];
  readonly actions: readonly ToolAction[];
}[] => tools.map(({ name, mainClasses, actions }) => ({ name, mainClasses, actions }));
