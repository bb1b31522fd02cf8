// Memory of another process, as the kernel counts it.
import { readFileSync } from 'node:fs';

/** Resident memory in bytes; undefined where there is no /proc, or the process is gone. */
export function residentBytes(pid: number): number | undefined {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}
