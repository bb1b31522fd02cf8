// `planner-archive`: makes the planner's class-data archive where the program is installed; the setup and the image call it.
import { plannerLib, recordArchive } from '../plan/plan.ts';
import type { Settings } from '../settings/settings.ts';
import type { ExitCode } from './cli.ts';

export async function archiveCommand({ planner: { java, heap } }: Settings): Promise<ExitCode> {
  const { file, bytes } = await recordArchive({ java, heap, lib: plannerLib, env: process.env });
  process.stdout.write(`${file}  ${(bytes / 1024 ** 2).toFixed(1)} MiB\n`);
  return 0;
}
