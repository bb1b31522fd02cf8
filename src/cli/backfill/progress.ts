// How far a long command has come: one line that is drawn over on a terminal, a line now and then elsewhere.
// Own code, because it is one line: the packages for it draw many bars and have not been kept for years.
import type { Writable } from 'node:stream';

export interface ProgressOut extends Pick<Writable, 'write'> {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface ProgressLine {
  /** `done` of `total` units; `more` is shown beside them. */
  update(done: number, total: number, more: string): void;
  /** Takes the line away for a moment, for what else is written to the same terminal. */
  clear(): void;
  end(): void;
}

const redrawMs = 100;
const plainEveryMs = 10_000;

/** Shows progress in `unit`s on `out`. */
export function createProgress(out: ProgressOut, unit: string, now: () => number = () => performance.now()): ProgressLine {
  const began = now();
  const terminal = out.isTTY === true;
  let shownAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  let last = '';
  const clear = () => {
    if (drawn) out.write('\r\u001b[2K');
    drawn = false;
  };
  const show = (text: string) => {
    if (!terminal) out.write(`${text}\n`);
    else {
      out.write(`\r\u001b[2K${text.slice(0, (out.columns ?? 80) - 1)}`);
      drawn = true;
    }
  };
  return {
    update(done, total, more) {
      const at = now();
      const rate = at > began ? (done * 1_000) / (at - began) : 0;
      const left = done >= total ? '' : rate > 0 ? `, ${spell((total - done) / rate)} left` : '';
      const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
      const bar = terminal ? `[${'='.repeat(Math.floor(percent / 5)).padEnd(20)}] ` : '';
      last = `${bar}${percent} % ${done}/${total} ${unit}s, ${rate.toFixed(1)} ${unit}s/s${left}; ${more}`;
      if (at - shownAt < (terminal ? redrawMs : plainEveryMs)) return;
      shownAt = at;
      show(last);
    },
    clear,
    end() {
      if (last !== '') show(last);
      if (drawn) out.write('\n');
      drawn = false;
    },
  };
}

/** 42 s, 3 min 05 s, 2 h 10 min. */
function spell(seconds: number): string {
  const whole = Math.ceil(seconds);
  const two = (n: number) => String(n).padStart(2, '0');
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3_600)} h ${two(Math.floor((whole % 3_600) / 60))} min`;
}
