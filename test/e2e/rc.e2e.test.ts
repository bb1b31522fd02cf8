import { it, expect } from 'vitest';
import { openRecordedConsole } from '/work/main/test/support/recordedconsole.ts';
it.each(['mysql-dev','mysql-2.1.7','postgres-dev','postgres-2.1.7'] as const)('%s', async (n) => {
  const c = await openRecordedConsole('/work/shared', n);
  try {
    const t=Date.now();
    for (const tx of c.transactions) await c.write(tx);
    console.log(n, c.transactions.length, c.recording.changes.length, Date.now()-t, c.transactions.filter(t=>t.length>1).map(t=>t.map(x=>x.seq+x.table.slice(2)+x.op[0]).join(' ')).slice(0,40));
    expect(await c.contents()).toEqual(c.dumped);
  } finally { await c.drop(); }
}, 60000);
