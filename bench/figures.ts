// What the benchmarks share: percentiles, and the memory of a process as Linux tells it.
import { readdirSync, readFileSync } from 'node:fs';

/** The value below which `p` percent of the values lie; 0 for none. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? 0;
}

/** Resident memory of a process in MB (10^6 bytes): now and at its highest. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string) => (Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024) / 1e6;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** CPU time that a process has used, all its threads together, in ms. */
export function cpuOf(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  // utime and stime, in the ticks that proc(5) counts in: 100 a second on Linux
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Process ids of the children of a process. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter((child) => child !== '')
      .map(Number),
  );
}

/** Prints rows under a header, columns aligned, as a table of Markdown. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  console.log([line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n'));
}
